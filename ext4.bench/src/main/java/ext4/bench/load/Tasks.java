// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the same work in several threads that begin together. */
final class Tasks {
    /** What one task does, after all are ready. */
    @FunctionalInterface
    interface Work {
        void run(int task, Hands hands);
    }

    /** What the thread that called does when all tasks have begun. */
    @FunctionalInterface
    interface Meanwhile {
        void run() throws InterruptedException;
    }

    private final long[] begins;
    private final long[] ends;

    private Tasks(int count) {
        begins = new long[count];
        ends = new long[count];
    }

    /**
     * Returns when all have ended.
     *
     * @param prepare not measured, on the task's own thread
     * @param finish not measured, on the task's own thread
     * @throws FailedCall the first failure of any
     */
    static Tasks run(Place place, int count, Work prepare, Work work, Work finish, Meanwhile meanwhile)
            throws InterruptedException {
        Tasks tasks = new Tasks(count);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Phaser start = new Phaser(count + 1);
        Thread[] threads = new Thread[count];
        for (int task = 0; task < count; task++) {
            int number = task;
            threads[task] = Thread.ofPlatform().name("task-" + task).start(() -> {
                boolean ready = false;
                try (Hands hands = place.hands(number)) {
                    prepare.run(number, hands);
                    ready = true;
                    start.arriveAndAwaitAdvance();
                    tasks.begins[number] = System.nanoTime();
                    work.run(number, hands);
                    tasks.ends[number] = System.nanoTime();
                    finish.run(number, hands);
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                    if (!ready) {
                        start.arriveAndDeregister();
                    }
                }
            });
        }
        start.arriveAndAwaitAdvance();
        meanwhile.run();
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failed(failure.get());
        }
        return tasks;
    }

    private static RuntimeException failed(Throwable e) {
        return e instanceof FailedCall failed ? failed : new IllegalStateException("a task failed", e);
    }

    /** When the first began, as System.nanoTime. */
    long begin() {
        long first = begins[0];
        for (long begin : begins) {
            first = Math.min(first, begin);
        }
        return first;
    }

    /** Nanoseconds from the first's begin to each one's end. */
    long[] ends() {
        long[] result = new long[ends.length];
        for (int i = 0; i < ends.length; i++) {
            result[i] = ends[i] - begin();
        }
        return result;
    }
}
