// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Threads that do the same thing over and over while a test changes something under them:
 * {@code try (Busy busy = Busy.start(4, worker -> ...)) { swap(); busy.awaitRounds(1000); }}. Closing stops and joins
 * them, and fails if any round failed or did not return.
 */
final class Busy implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 60_000;

    /** One round of one worker; workers are numbered from 0. */
    @FunctionalInterface
    interface Round {
        void run(int worker) throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder rounds = new LongAdder();
    /** Counted down by each round that ends; to zero by a failure. */
    private volatile CountDownLatch awaited = new CountDownLatch(0);

    private volatile boolean stopped;

    private Busy() {}

    /** Starts the workers and returns when each has ended its first round. */
    static Busy start(int workers, Round round) throws InterruptedException {
        Busy busy = new Busy();
        CountDownLatch first = new CountDownLatch(workers);
        for (int worker = 0; worker < workers; worker++) {
            int number = worker;
            busy.threads.add(Thread.ofPlatform()
                    .name("busy-" + number)
                    .daemon() // one that never returns fails the test, not the end of the process
                    .start(() -> busy.work(number, round, first)));
        }
        first.await();
        return busy;
    }

    /** Rounds ended so far, by all workers. */
    long rounds() {
        return rounds.sum();
    }

    /** Waits until so many more rounds have ended, or one has failed; fails if that takes too long. */
    void awaitRounds(int more) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(more);
        awaited = ended;
        if (failures.isEmpty()) {
            assertThat(ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .as(() -> ended.getCount() + " of " + more + " rounds did not end:\n" + stacks())
                    .isTrue();
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
        }
        assertThat(failures).as("failed rounds of %d", rounds()).isEmpty();
        assertThat(threads).as(() -> "a call did not return:\n" + stacks()).noneMatch(Thread::isAlive);
    }

    private String stacks() {
        return threads.stream()
                .filter(Thread::isAlive)
                .map(thread -> thread.getName() + "\n  "
                        + Arrays.stream(thread.getStackTrace())
                                .map(StackTraceElement::toString)
                                .collect(Collectors.joining("\n  ")))
                .collect(Collectors.joining("\n"));
    }

    private void work(int number, Round round, CountDownLatch first) {
        try {
            do {
                round.run(number);
                rounds.increment();
                awaited.countDown();
                first.countDown();
            } while (!stopped);
        } catch (Throwable failure) { // close() reports it: an Error here must not vanish with the thread
            failures.add(failure);
            release(awaited);
        } finally {
            first.countDown();
        }
    }

    private static void release(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            latch.countDown();
        }
    }
}
