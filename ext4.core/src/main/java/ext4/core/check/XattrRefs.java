// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** How often each shared attribute block is used. Only blocks that say to be used more than once take room. */
final class XattrRefs {
    private final ClaimMap seen;
    private long[] blocks = new long[64];
    private int[] expected = new int[64];
    private int[] found = new int[64];
    private int size;

    XattrRefs(Fs fs) {
        seen = new ClaimMap(fs);
    }

    /** Whether the block was met before; then this use is counted. */
    boolean use(long pblk) {
        if (seen.claim(pblk, 1) == 0) {
            return false;
        }
        found[slot(pblk, 1)]++;
        return true;
    }

    /** Notes the first use of a block and the count it holds. */
    void first(long pblk, int refcount) {
        if (refcount != 1) {
            int slot = slot(pblk, refcount);
            expected[slot] = refcount;
        }
    }

    /** The slot of a block; a new one has been used once. */
    private int slot(long pblk, int refcount) {
        if (size * 4 >= blocks.length * 3) {
            grow();
        }
        int slot = index(pblk);
        if (blocks[slot] == 0) {
            blocks[slot] = pblk;
            expected[slot] = refcount;
            found[slot] = 1;
            size++;
        }
        return slot;
    }

    private int index(long pblk) {
        int slot = (int) (pblk * 0x9E3779B97F4A7C15L >>> 40) & blocks.length - 1;
        while (blocks[slot] != 0 && blocks[slot] != pblk) {
            slot = slot + 1 & blocks.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] oldBlocks = blocks;
        int[] oldExpected = expected;
        int[] oldFound = found;
        blocks = new long[oldBlocks.length * 2];
        expected = new int[blocks.length];
        found = new int[blocks.length];
        for (int i = 0; i < oldBlocks.length; i++) {
            if (oldBlocks[i] != 0) {
                int slot = index(oldBlocks[i]);
                blocks[slot] = oldBlocks[i];
                expected[slot] = oldExpected[i];
                found[slot] = oldFound[i];
            }
        }
    }

    /** Reports every block whose count is not the number of its uses, by block number. */
    void compare(Report report) {
        long[] sorted = Arrays.stream(blocks).filter(b -> b != 0).sorted().toArray();
        for (long pblk : sorted) {
            int slot = index(pblk);
            if (expected[slot] != found[slot]) {
                report.problem(
                        "Extended attribute block %d has reference count %d, should be %d.",
                        pblk, Integer.toUnsignedLong(expected[slot]), found[slot]);
            }
        }
    }
}
