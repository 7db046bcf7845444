// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The load of report 2 without an end: each task makes some files in a directory of its own and removes them, over and
 * over, while the orphan strategy is switched. A call that fails is counted and the task goes on.
 */
public final class LiveLoad {
    /** Milliseconds that one count stands for. */
    public static final int BUCKET_MILLIS = 50;
    /** Files that a task makes before it removes them. */
    private static final int BATCH = 50;

    /** Switches to a strategy. */
    @FunctionalInterface
    public interface Switcher {
        /** What the switch reported, in one line. */
        String switchTo(String strategy);
    }

    /**
     * A switch in mid-run.
     *
     * @param atMillis when it was asked for, from the begin
     * @param report what it reported
     */
    public record Switch(long atMillis, String report) {}

    /**
     * What happened.
     *
     * @param calls creates and unlinks in each {@link #BUCKET_MILLIS}
     * @param switches in order
     * @param failed calls that failed
     * @param firstFailure what the first of them said, or null
     */
    public record Course(long[] calls, List<Switch> switches, long failed, String firstFailure) {}

    private final int tasks;
    private final long nanos;
    private final long[][] counts;
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<String> firstFailure = new AtomicReference<>();
    private volatile long begin;

    /** @param millis how long the load lasts */
    public LiveLoad(int tasks, int millis) {
        this.tasks = tasks;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        this.counts = new long[tasks][millis / BUCKET_MILLIS + 1];
    }

    /** Runs the load; the strategies are switched to in turn, at equal distances. */
    public Course run(Place place, Switcher switcher, List<String> strategies) throws InterruptedException {
        List<Switch> switches = new ArrayList<>();
        begin = System.nanoTime() + nanos; // no task counts before all have begun
        Tasks.run(
                place,
                tasks,
                (task, hands) -> hands.makeDirectory(task),
                this::work,
                (task, hands) -> hands.removeDirectory(task),
                () -> {
                    begin = System.nanoTime();
                    for (int i = 0; i < strategies.size(); i++) {
                        parkUntil(begin + nanos * (i + 1) / (strategies.size() + 1));
                        long at = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                        switches.add(new Switch(at, switcher.switchTo(strategies.get(i))));
                    }
                });
        long[] sums = new long[counts[0].length - 1];
        for (long[] count : counts) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += count[i];
            }
        }
        return new Course(sums, switches, failed.get(), firstFailure.get());
    }

    private static void parkUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void work(int task, Hands hands) {
        long[] count = counts[task];
        boolean[] made = new boolean[BATCH];
        while (System.nanoTime() - begin < nanos) {
            for (int file = 0; file < BATCH; file++) {
                int number = file;
                made[file] = call(count, () -> hands.create(task, number));
            }
            for (int file = 0; file < BATCH; file++) {
                int number = file;
                if (made[file]) {
                    call(count, () -> hands.unlink(task, number));
                }
            }
        }
    }

    private boolean call(long[] count, Runnable call) {
        try {
            call.run();
        } catch (FailedCall e) {
            failed.incrementAndGet();
            firstFailure.compareAndSet(null, e.getMessage());
            return false;
        }
        long bucket = (System.nanoTime() - begin) / TimeUnit.MILLISECONDS.toNanos(BUCKET_MILLIS);
        if (bucket >= 0 && bucket < count.length) {
            count[(int) bucket]++;
        }
        return true;
    }
}
