// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import java.io.Console;
import java.util.concurrent.TimeUnit;

/** How far it is: one line that changes where standard error is a terminal, else a line each ten seconds. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final boolean terminal;
    private long next = System.nanoTime() + EACH_NANOS;

    Progress() {
        Console console = System.console();
        terminal = console != null && console.isTerminal();
    }

    void show(String text) {
        if (terminal) {
            System.err.printf("\r%-" + WIDTH + "s\r", text);
            System.err.flush();
        } else if (System.nanoTime() >= next) {
            next += EACH_NANOS;
            System.err.println(text);
        }
    }

    @Override
    public void close() {
        if (terminal) {
            show("");
        }
    }
}
