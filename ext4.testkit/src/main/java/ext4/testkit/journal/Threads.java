// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Threads of the tests, told apart by name from those of the journal under test. */
final class Threads {
    private static final String NAME = "contract";
    private static final Set<String> SYSTEM = Set.of("system", "InnocuousThreadGroup");
    private static final long LIMIT_SECONDS = 60;

    private Threads() {}

    static Thread of(Runnable task) {
        return new Thread(task, NAME);
    }

    /** In a thread of its own: the tests' tasks wait for each other. */
    static CompletableFuture<Void> async(Runnable task) {
        return CompletableFuture.runAsync(task, run -> of(run).start());
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing happened for " + LIMIT_SECONDS + " seconds");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns when it is done; throws what it threw. */
    static void join(CompletableFuture<Void> future) {
        try {
            future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns when the thread waits for something, or has ended. */
    static void awaitBlocked(Thread thread) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            switch (thread.getState()) {
                case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> {
                    return;
                }
                default -> {
                    if (System.nanoTime() > deadline) {
                        throw new AssertionError(thread + " neither waits nor ends");
                    }
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Those that run now and are none of the tests' or of the virtual machine's own. */
    static Set<Thread> others() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().equals(NAME))
                .filter(thread -> thread.getThreadGroup() != null
                        && !SYSTEM.contains(thread.getThreadGroup().getName()))
                .filter(thread -> !thread.getName().startsWith("junit")
                        && !thread.getName().startsWith("surefire"))
                .collect(Collectors.toSet());
    }
}
