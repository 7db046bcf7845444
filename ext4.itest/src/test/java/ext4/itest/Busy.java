// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that do the same thing over and over while a test changes something under them:
 * {@code try (Busy busy = Busy.start(4, worker -> ...)) { swap(); busy.awaitRounds(1000); }}. Closing stops and joins
 * them and fails if any round failed.
 */
final class Busy implements AutoCloseable {
    /** One round of one worker; workers are numbered from 0. */
    @FunctionalInterface
    interface Round {
        void run(int worker) throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder rounds = new LongAdder();
    private volatile boolean stopped;

    private Busy() {}

    /** Starts the workers and returns when each has ended its first round. */
    static Busy start(int workers, Round round) throws InterruptedException {
        Busy busy = new Busy();
        CountDownLatch first = new CountDownLatch(workers);
        for (int worker = 0; worker < workers; worker++) {
            int number = worker;
            busy.threads.add(Thread.ofPlatform().name("busy-" + number).start(() -> busy.work(number, round, first)));
        }
        first.await();
        return busy;
    }

    /** Rounds ended so far, by all workers. */
    long rounds() {
        return rounds.sum();
    }

    /** Waits until so many more rounds have ended, or one has failed. */
    void awaitRounds(long more) {
        long target = rounds() + more;
        while (rounds() < target && failures.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).as("failed rounds of %d", rounds()).isEmpty();
    }

    private void work(int number, Round round, CountDownLatch first) {
        try {
            do {
                round.run(number);
                rounds.increment();
                first.countDown();
            } while (!stopped);
        } catch (Throwable failure) { // close() reports it: an Error here must not vanish with the thread
            failures.add(failure);
        } finally {
            first.countDown();
        }
    }
}
