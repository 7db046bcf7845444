// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import java.io.Console;

/** One line on a terminal that says what is being measured; nothing where standard error is no terminal. */
public final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;

    private final boolean terminal;

    /** Looks whether there is a terminal. */
    public Progress() {
        Console console = System.console();
        terminal = console != null && console.isTerminal();
    }

    /** Shows a text instead of the one before. */
    public void show(String text) {
        if (terminal) {
            String line = text.length() > WIDTH ? text.substring(0, WIDTH) : text;
            System.err.printf("\r%-" + WIDTH + "s", line);
            System.err.flush();
        }
    }

    /** Takes the line away. */
    public void clear() {
        if (terminal) {
            System.err.printf("\r%" + WIDTH + "s\r", "");
            System.err.flush();
        }
    }

    @Override
    public void close() {
        clear();
    }
}
