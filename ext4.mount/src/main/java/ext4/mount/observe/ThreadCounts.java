// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts by thread, each in a line of memory of its own. A slot belongs to one thread for good, so it is written by that
 * thread only; the last one is for those that come when all are taken, and its count may miss some.
 */
final class ThreadCounts {
    private static final int SLOTS = 256;
    /** Longs between slots: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 16;

    private static final int LAST = SLOTS - 1;

    /** Of each slot the thread's number, then its count. */
    private final AtomicLongArray cells = new AtomicLongArray(SLOTS * STRIDE);

    /** Counts one for the calling thread; its slot. */
    int count() {
        int slot = slot(Thread.currentThread().threadId());
        int cell = slot * STRIDE + 1;
        cells.setPlain(cell, cells.getPlain(cell) + 1);
        return slot;
    }

    private int slot(long thread) {
        int slot = (int) (thread * 0x9E3779B97F4A7C15L >>> 56);
        for (int tries = 0; tries < SLOTS && slot != LAST; tries++) {
            long owner = cells.get(slot * STRIDE);
            if (owner == thread || owner == 0 && cells.compareAndSet(slot * STRIDE, 0, thread)) {
                return slot;
            }
            slot = slot + 1 & LAST;
        }
        return LAST;
    }

    /** The count of a slot. */
    long of(int slot) {
        return cells.getPlain(slot * STRIDE + 1);
    }

    /** All of them; may be stale. */
    long sum() {
        long sum = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            sum += cells.getOpaque(slot * STRIDE + 1);
        }
        return sum;
    }

    /** Jain's index of the threads' counts, in words: 1 all alike, 1/n one of n does everything. */
    String fairness() {
        double sum = 0;
        double squares = 0;
        int threads = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            double count = cells.getOpaque(slot * STRIDE + 1);
            sum += count;
            squares += count * count;
            threads += count == 0 ? 0 : 1;
        }
        return threads == 0
                ? "none"
                : String.format(Locale.ROOT, "%.3f over %d threads", sum * sum / (threads * squares), threads);
    }
}
