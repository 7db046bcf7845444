// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What one thread is doing, and since when: another looks at it. */
final class Watchdog {
    private volatile Thread owner = Thread.currentThread();
    private volatile String operation = "";
    private volatile long since;
    private volatile boolean running;

    /** It watches this thread instead of the one that made it. */
    void of(Thread thread) {
        owner = thread;
    }

    void begin(String what) {
        operation = what;
        since = System.nanoTime();
        running = true;
    }

    void end() {
        running = false;
    }

    /** What has been running for longer than that, with its stack; null if nothing has. */
    String overdue(long nanos) {
        String what = operation;
        if (!running || System.nanoTime() - since < nanos) {
            return null;
        }
        String stack = Arrays.stream(owner.getStackTrace())
                .limit(24)
                .map(frame -> "    at " + frame)
                .collect(Collectors.joining(System.lineSeparator()));
        return what + " has been running for " + (System.nanoTime() - since) / 1_000_000_000 + " s"
                + System.lineSeparator() + stack;
    }
}
