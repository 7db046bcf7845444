// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.io.Console;

/** How far it is: a line that is written again on a terminal, else a line each ten seconds, on standard error. */
final class Progress implements AutoCloseable {
    private static final long EVERY_NANOS = 10_000_000_000L;

    private final boolean terminal;
    private long last = System.nanoTime();

    Progress() {
        Console console = System.console();
        terminal = console != null && console.isTerminal();
    }

    void show(Totals totals) {
        if (terminal) {
            System.err.printf("\r%-110s\r", totals.line());
        } else if (System.nanoTime() - last > EVERY_NANOS) {
            last = System.nanoTime();
            System.err.println(totals.line());
        }
    }

    @Override
    public void close() {
        if (terminal) {
            System.err.printf("\r%-110s\r", "");
        }
    }
}
