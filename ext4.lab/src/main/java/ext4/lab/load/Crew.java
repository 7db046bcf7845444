// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** The threads of a load: they work until they are told to stop, and compare their files when they are asked. */
final class Crew {
    /** Trees that a thread gives up before it stops itself. */
    private static final int TREES = 20;

    /** Makes the worker of a thread. */
    @FunctionalInterface
    interface Maker {
        Worker make(Hands hands, String directory, long seed);
    }

    private final Outcome outcome;
    private final String directory;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong compared = new AtomicLong();
    /** Threads that have not begun yet. */
    private final AtomicInteger toBegin = new AtomicInteger();
    /** Each new value asks for a comparison. */
    private volatile int round;

    private volatile boolean stop;
    /** Threads that have answered the latest round. Guarded by this. */
    private int answered;
    /** What was expected at the end, by absolute path. Guarded by this. */
    private final Map<String, String> last = new TreeMap<>();

    Crew(Outcome outcome, String directory, long seed) {
        this.outcome = outcome;
        this.directory = directory;
        this.seed = seed;
    }

    void start(int count, IntFunction<Maker> makers) {
        for (int i = 0; i < count; i++) {
            int index = i;
            threads.add(Thread.ofPlatform().name("worker " + i).unstarted(() -> run(index, makers.apply(index))));
        }
        toBegin.set(count);
        threads.forEach(Thread::start);
    }

    private void run(int index, Maker maker) {
        try (Hands hands = new Hands(outcome)) {
            int trees = 0;
            int seen = 0;
            Worker worker = null;
            while (!stop && trees < TREES) {
                try {
                    if (worker == null) {
                        worker = maker.make(hands, directory + "/" + index + "." + trees, seed + index + 1000L * trees);
                        worker.begin();
                        began();
                    }
                    worker.step();
                    if (seen != round) {
                        seen = round;
                        compare(hands, worker);
                        answer();
                    }
                } catch (Abandoned e) {
                    trees++;
                    end(worker);
                    worker = null;
                }
            }
            if (worker != null) {
                compareAtEnd(hands, worker);
            }
        } catch (RuntimeException e) {
            outcome.failed("(the load itself)", directory, e.toString(), "no exception at " + e.getStackTrace()[0]);
        }
    }

    private void began() {
        if (toBegin.decrementAndGet() == 0) {
            outcome.say("ready");
        }
    }

    private static void end(Worker worker) {
        try {
            worker.end();
        } catch (Abandoned e) {
            // reported; what is left of the tree is of no use
        }
    }

    private void compare(Hands hands, Worker worker) {
        worker.expectations((path, expected) -> {
            String actual = Description.actual(hands, path, expected);
            compared.incrementAndGet();
            if (!actual.equals(expected)) {
                outcome.differs(path, expected, actual);
            }
        });
    }

    private void compareAtEnd(Hands hands, Worker worker) {
        try {
            compare(hands, worker);
        } catch (Abandoned e) {
            // reported
        }
        synchronized (this) {
            worker.expectations(last::put);
        }
        end(worker);
    }

    private synchronized void answer() {
        if (++answered == threads.size()) {
            outcome.say("compared", Long.toString(compared.getAndSet(0)));
        }
    }

    /** Asks each thread to compare its files; the last one says {@code compared}. */
    synchronized void askToCompare() {
        answered = 0;
        round++;
    }

    /** Returns when all threads have compared their files and ended: what each path must look like from now on. */
    Map<String, String> stop() throws InterruptedException {
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
        outcome.say("compared", Long.toString(compared.get()));
        synchronized (this) {
            return Map.copyOf(last);
        }
    }
}
