// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.Console;

/** One line on a terminal that says how far it is; nothing where standard error is no terminal. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 110;

    private final boolean terminal;

    Progress() {
        Console console = System.console();
        terminal = console != null && console.isTerminal();
    }

    void show(String text) {
        if (terminal) {
            String line = text.length() > WIDTH ? text.substring(0, WIDTH) : text;
            System.err.printf("\r%-" + WIDTH + "s\r", line);
            System.err.flush();
        }
    }

    @Override
    public void close() {
        show("");
    }
}
