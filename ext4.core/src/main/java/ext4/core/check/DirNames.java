// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.dir.DirEntry;
import ext4.format.hash.NameHash;
import java.util.Arrays;

/**
 * The names of a directory, to find those that stand twice. Within a block names are compared; in a linear directory
 * of several blocks also over blocks, by a hash of 64 bits. In an indexed one equal names have equal hashes, and the
 * ranges of the leaves keep those together.
 */
final class DirNames {
    private static final int[] OWN_SEED = {0x5bd1e995, 0x2c1b3c6d, 0x297a2d39, 0x1b56c4e9};
    private static final int MOST_REMEMBERED = 1 << 22;

    private final State state;
    private final NameHash own = NameHash.of(NameHash.HALF_MD4_UNSIGNED, OWN_SEED);
    private long ino;
    private boolean indexed;
    private long[] all = new long[64];
    private int allSize;
    private int blocks;
    private long[] keys = new long[64];
    private int[] offsets = new int[64];
    private int size;
    private boolean hashed;
    private int lowest;
    private int highest;

    DirNames(State state) {
        this.state = state;
    }

    void begin(long directory, boolean isIndexed) {
        ino = directory;
        indexed = isIndexed;
        allSize = 0;
        blocks = 0;
    }

    void beginBlock() {
        size = 0;
        hashed = false;
        lowest = -1;
        highest = 0;
    }

    /** Adds a name of the block; {@code hash} is the directory's hash if it is indexed. */
    void add(byte[] b, int at, NameHash hash) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        int name = DirEntry.nameOffset(at);
        int length = DirEntry.nameLen(b, at);
        keys[size] = own.hash(b, name, length);
        offsets[size] = at;
        size++;
        if (hash != null) {
            int major = NameHash.major(hash.hash(b, name, length));
            lowest = Integer.compareUnsigned(major, lowest) < 0 || !hashed ? major : lowest;
            highest = Integer.compareUnsigned(major, highest) > 0 ? major : highest;
            hashed = true;
        }
    }

    /** Whether the block had names with hashes. */
    boolean hasRange() {
        return hashed;
    }

    /** Lowest hash of the block's names, unsigned. */
    int lowest() {
        return lowest;
    }

    /** Highest hash of the block's names, unsigned. */
    int highest() {
        return highest;
    }

    void endBlock(byte[] b, long lblk) {
        long[] sorted = Arrays.copyOf(keys, size);
        Arrays.sort(sorted);
        for (int i = 1; i < size; i++) {
            if (sorted[i] == sorted[i - 1]) {
                compare(b, sorted[i], lblk);
            }
        }
        blocks++;
        if (!indexed && allSize + size <= MOST_REMEMBERED) {
            if (allSize + size > all.length) {
                all = Arrays.copyOf(all, Math.max(2 * all.length, allSize + size));
            }
            System.arraycopy(keys, 0, all, allSize, size);
            allSize += size;
        }
    }

    private void compare(byte[] b, long key, long lblk) {
        int first = -1;
        for (int i = 0; i < size; i++) {
            if (keys[i] != key) {
                continue;
            }
            if (first >= 0 && DirEntry.compareNames(b, first, b, offsets[i]) == 0) {
                state.report.problem(
                        "Duplicate entry '%s' found in directory inode %d, block #%d.",
                        Report.printable(b, DirEntry.nameOffset(first), DirEntry.nameLen(b, first)), ino, lblk);
                return;
            }
            first = offsets[i];
        }
    }

    void end() {
        if (indexed || blocks < 2) {
            return;
        }
        Arrays.sort(all, 0, allSize);
        int twice = 0;
        for (int i = 1; i < allSize; i++) {
            twice += all[i] == all[i - 1] ? 1 : 0;
        }
        if (twice > 0) {
            state.report.problem("Duplicate entries (%d) found in directory inode %d.", twice, ino);
        }
        if (all.length > 1 << 16) {
            all = new long[64];
        }
    }
}
