// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import java.util.Arrays;

/** The block numbers that a transaction revokes: a set of longs in stripes, each with its own monitor. */
final class RevokeSet {
    private static final int STRIPES = 16;
    private final Stripe[] stripes = new Stripe[STRIPES];

    /** Set before the first number is added; whoever must see a number is ordered after its adding by a lock of the core. */
    private volatile boolean used;

    void add(long pblk) {
        if (!used) {
            fill();
        }
        stripe(pblk).add(pblk);
    }

    void cancel(long pblk) {
        if (used) {
            stripe(pblk).remove(pblk);
        }
    }

    boolean isEmpty() {
        return !used || toSortedArray().length == 0;
    }

    /** All numbers in ascending order. */
    long[] toSortedArray() {
        if (!used) {
            return new long[0];
        }
        int size = 0;
        for (Stripe s : stripes) {
            size += s.size();
        }
        long[] all = new long[size];
        int at = 0;
        for (Stripe s : stripes) {
            at = s.copy(all, at);
        }
        Arrays.sort(all);
        return all;
    }

    private synchronized void fill() {
        if (!used) {
            for (int i = 0; i < STRIPES; i++) {
                stripes[i] = new Stripe();
            }
            used = true;
        }
    }

    private Stripe stripe(long pblk) {
        return stripes[(int) (hash(pblk) >>> 60)];
    }

    private static long hash(long pblk) {
        return pblk * 0x9E3779B97F4A7C15L;
    }

    /** Open addressing with linear probing; 0 marks a free place, for block 0 can't be freed. */
    private static final class Stripe {
        private long[] table = new long[16]; // guarded by this
        private int size; // guarded by this

        synchronized void add(long pblk) {
            if ((size + 1) * 2 > table.length) {
                long[] old = table;
                table = new long[old.length * 2];
                size = 0;
                for (long each : old) {
                    if (each != 0) {
                        putLocked(each);
                    }
                }
            }
            putLocked(pblk);
        }

        synchronized void remove(long pblk) {
            int at = placeLocked(pblk);
            if (table[at] == 0) {
                return;
            }
            table[at] = 0;
            size--;
            int mask = table.length - 1;
            for (int i = (at + 1) & mask; table[i] != 0; i = (i + 1) & mask) {
                long moved = table[i];
                table[i] = 0;
                size--;
                putLocked(moved);
            }
        }

        synchronized int size() {
            return size;
        }

        synchronized int copy(long[] to, int from) {
            int at = from;
            for (long each : table) {
                if (each != 0) {
                    to[at++] = each;
                }
            }
            return at;
        }

        private void putLocked(long pblk) {
            int at = placeLocked(pblk);
            if (table[at] == 0) {
                table[at] = pblk;
                size++;
            }
        }

        private int placeLocked(long pblk) {
            int mask = table.length - 1;
            int at = (int) (hash(pblk) >>> 20) & mask;
            while (table[at] != 0 && table[at] != pblk) {
                at = (at + 1) & mask;
            }
            return at;
        }
    }
}
