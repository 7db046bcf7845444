// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import java.util.Arrays;

/**
 * What a run did.
 *
 * @param operations of each task
 * @param ends nanoseconds from the begin of the first task to the end of each
 * @param settled nanoseconds until all that was removed was free, 0 where nothing was waited for
 */
public record Outcome(long[] operations, long[] ends, long settled) {
    /** Operations of all tasks. */
    public long total() {
        return Arrays.stream(operations).sum();
    }

    /** Nanoseconds from the begin to the end of everything. */
    public long nanos() {
        return Math.max(last(), settled);
    }

    /** Nanoseconds until the first task was done. */
    public long first() {
        return Arrays.stream(ends).min().orElse(0);
    }

    /** Nanoseconds until the last task was done. */
    public long last() {
        return Arrays.stream(ends).max().orElse(0);
    }

    /** Operations in a millisecond. */
    public double perMilli() {
        return total() * 1e6 / nanos();
    }

    /**
     * Jain's index of the tasks' speeds: 1 when all are as fast, 1/n when one of n does everything. A task's speed is its
     * operations over its own time.
     */
    public double fairness() {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < ends.length; i++) {
            double speed = (double) operations[i] / ends[i];
            sum += speed;
            squares += speed * speed;
        }
        return squares == 0 ? 1 : sum * sum / (ends.length * squares);
    }
}
