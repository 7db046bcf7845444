// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** What is known of each block of an indexed directory, by logical block. */
final class HtreeBlocks {
    static final byte ROOT = 1;
    static final byte NODE = 2;
    static final byte LEAF = 3;

    /** One behind every hash. */
    static final long NO_END = 1L << 32;

    private static final byte REFERRED = 1;
    private static final byte LOW_OF_PARENT = 2;
    private static final byte HIGH_OF_PARENT = 4;
    private static final byte RANGE = 8;
    private static final int MOST_LEVELS = 4;
    /** Slots hold 28 bits of a block number; a directory below 2 GiB has no more blocks than this. */
    private static final int MOST = 1 << 21;

    private byte[] kinds = new byte[16];
    private byte[] marks = new byte[16];
    private int[] parents = new int[16];
    private int[] lows = new int[16];
    private int[] highs = new int[16];
    private int[] mins = new int[16];
    private int[] maxs = new int[16];
    private int size;

    void clear() {
        Arrays.fill(kinds, 0, size, (byte) 0);
        Arrays.fill(marks, 0, size, (byte) 0);
        size = 0;
    }

    /** One behind the last block that something is known of. */
    int size() {
        return size;
    }

    private void reach(int lblk) {
        if (lblk >= kinds.length) {
            int room = Math.max(lblk + 1, 2 * kinds.length);
            kinds = Arrays.copyOf(kinds, room);
            marks = Arrays.copyOf(marks, room);
            parents = Arrays.copyOf(parents, room);
            lows = Arrays.copyOf(lows, room);
            highs = Arrays.copyOf(highs, room);
            mins = Arrays.copyOf(mins, room);
            maxs = Arrays.copyOf(maxs, room);
        }
        size = Math.max(size, lblk + 1);
    }

    void kind(int lblk, byte kind) {
        reach(lblk);
        kinds[lblk] = kind;
    }

    byte kind(int lblk) {
        return kinds[lblk];
    }

    /** Notes a slot that leads to a block; false if one did before, or the number is beyond any directory. */
    boolean refer(int lblk, int parent) {
        if (lblk >= MOST) {
            return false;
        }
        reach(lblk);
        if (isReferred(lblk)) {
            return false;
        }
        marks[lblk] |= REFERRED;
        parents[lblk] = parent;
        return true;
    }

    boolean isReferred(int lblk) {
        return (marks[lblk] & REFERRED) != 0;
    }

    int parent(int lblk) {
        return parents[lblk];
    }

    /** What the slot says: hashes from {@code low} (the parent's if first) to below {@code high} (the parent's if last). */
    void promise(int lblk, boolean first, int low, boolean last, int high) {
        marks[lblk] |= (byte) ((first ? LOW_OF_PARENT : 0) | (last ? HIGH_OF_PARENT : 0));
        lows[lblk] = low;
        highs[lblk] = high;
    }

    /** Slots between the root and this block; more than any index has if they don't lead there. */
    int depth(int lblk) {
        int depth = 0;
        for (int at = lblk; at != 0 && depth <= MOST_LEVELS; depth++) {
            at = isReferred(at) ? parents[at] : at;
        }
        return depth;
    }

    /** Lowest hash the block may have. */
    long low(int lblk) {
        int at = lblk;
        for (int i = 0; i < MOST_LEVELS && at != 0 && (marks[at] & LOW_OF_PARENT) != 0; i++) {
            at = parents[at];
        }
        return at == 0 ? 0 : Integer.toUnsignedLong(lows[at]);
    }

    /** The next slot's hash, or {@link #NO_END} plus one. */
    long high(int lblk) {
        int at = lblk;
        for (int i = 0; i < MOST_LEVELS && at != 0 && (marks[at] & HIGH_OF_PARENT) != 0; i++) {
            at = parents[at];
        }
        return at == 0 ? NO_END : Integer.toUnsignedLong(highs[at]);
    }

    void range(int lblk, int min, int max) {
        marks[lblk] |= RANGE;
        mins[lblk] = min;
        maxs[lblk] = max;
    }

    boolean hasRange(int lblk) {
        return (marks[lblk] & RANGE) != 0;
    }

    long min(int lblk) {
        return Integer.toUnsignedLong(mins[lblk]);
    }

    long max(int lblk) {
        return Integer.toUnsignedLong(maxs[lblk]);
    }
}
