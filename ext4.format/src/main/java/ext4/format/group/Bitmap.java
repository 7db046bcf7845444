// SPDX-License-Identifier: Apache-2.0
package ext4.format.group;

import ext4.format.Le;

/**
 * Bits of a bitmap block: bit n is bit n%8 of byte n/8. The array's length is a multiple of eight bytes. Searches read
 * 64 bits a step. The caller holds the group's lock; {@link #test} alone may race and then answers before or after.
 */
public final class Bitmap {
    private Bitmap() {}

    public static boolean test(byte[] b, int bit) {
        return (b[bit >>> 3] >>> (bit & 7) & 1) != 0;
    }

    /** Sets one bit; whether it was clear before. */
    public static boolean set(byte[] b, int bit) {
        byte old = b[bit >>> 3];
        b[bit >>> 3] = (byte) (old | 1 << (bit & 7));
        return (old >>> (bit & 7) & 1) == 0;
    }

    /** Clears one bit; whether it was set before. */
    public static boolean clear(byte[] b, int bit) {
        byte old = b[bit >>> 3];
        b[bit >>> 3] = (byte) (old & ~(1 << (bit & 7)));
        return (old >>> (bit & 7) & 1) != 0;
    }

    /** Sets {@code count} bits from {@code from}. */
    public static void set(byte[] b, int from, int count) {
        for (int at = from, end = from + count; at < end; ) {
            int word = at >>> 6 << 3;
            Le.put64(b, word, Le.u64(b, word) | mask(at, end));
            at = nextWord(at);
        }
    }

    /** Clears {@code count} bits from {@code from}. */
    public static void clear(byte[] b, int from, int count) {
        for (int at = from, end = from + count; at < end; ) {
            int word = at >>> 6 << 3;
            Le.put64(b, word, Le.u64(b, word) & ~mask(at, end));
            at = nextWord(at);
        }
    }

    /** Whether all of {@code count} bits from {@code from} are set. */
    public static boolean allSet(byte[] b, int from, int count) {
        return nextClear(b, from, from + count) == from + count;
    }

    /** Whether all of {@code count} bits from {@code from} are clear. */
    public static boolean allClear(byte[] b, int from, int count) {
        return nextSet(b, from, from + count) == from + count;
    }

    /** The first clear bit from {@code from} on and before {@code end}; {@code end} if there is none. */
    public static int nextClear(byte[] b, int from, int end) {
        for (int at = from; at < end; at = nextWord(at)) {
            long clear = ~Le.u64(b, at >>> 6 << 3) & mask(at, end);
            if (clear != 0) {
                return (at & ~63) + Long.numberOfTrailingZeros(clear);
            }
        }
        return end;
    }

    /** The first set bit from {@code from} on and before {@code end}; {@code end} if there is none. */
    public static int nextSet(byte[] b, int from, int end) {
        for (int at = from; at < end; at = nextWord(at)) {
            long set = Le.u64(b, at >>> 6 << 3) & mask(at, end);
            if (set != 0) {
                return (at & ~63) + Long.numberOfTrailingZeros(set);
            }
        }
        return end;
    }

    /** How many of the bits from {@code from} on and before {@code end} are clear. */
    public static int countClear(byte[] b, int from, int end) {
        int count = 0;
        for (int at = from; at < end; at = nextWord(at)) {
            count += Long.bitCount(~Le.u64(b, at >>> 6 << 3) & mask(at, end));
        }
        return count;
    }

    /**
     * The start of the first run of at least {@code wanted} clear bits from {@code from} on and before {@code end}; -1 if
     * there is none.
     */
    public static int findClearRun(byte[] b, int from, int end, int wanted) {
        int start = nextClear(b, from, end);
        while (end - start >= wanted) {
            int stop = nextSet(b, start, start + wanted);
            if (stop - start >= wanted) {
                return start;
            }
            start = nextClear(b, stop, end);
        }
        return -1;
    }

    /**
     * The start of the longest run of clear bits (the first of equals) from {@code from} on and before {@code end}; -1 if
     * none is clear. Its length: {@code nextSet(b, start, end) - start}.
     */
    public static int findLongestClearRun(byte[] b, int from, int end) {
        int best = -1;
        int bestLength = 0;
        for (int start = nextClear(b, from, end); start < end; ) {
            int stop = nextSet(b, start, end);
            if (stop - start > bestLength) {
                best = start;
                bestLength = stop - start;
            }
            start = nextClear(b, stop, end);
        }
        return best;
    }

    /** Bits of the word around {@code at} that lie from {@code at} on and before {@code end}. */
    private static long mask(int at, int end) {
        long mask = -1L << at;
        int left = end - (at & ~63);
        return left >= 64 ? mask : mask & (1L << left) - 1;
    }

    private static int nextWord(int at) {
        return (at & ~63) + 64;
    }
}
