// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import java.io.PrintStream;
import java.util.concurrent.atomic.LongAdder;

/** What a load tells on its standard output, a line each, words set apart by tabs. Thread-safe. */
public final class Outcome {
    private final PrintStream out;
    private final LongAdder calls = new LongAdder();

    public Outcome(PrintStream out) {
        this.out = out;
    }

    /** A call was made. */
    public void called() {
        calls.increment();
    }

    /** Calls made until now. */
    public long calls() {
        return calls.sum();
    }

    /** A call that did not return what the kernel's ext4 returns. */
    public void failed(String call, String path, String got, String expected) {
        say("failed", call, path, got, expected);
    }

    /** A file that is not what was made of it. */
    public void differs(String path, String expected, String actual) {
        say("differs", path, expected, actual);
    }

    /** Any other line. */
    public synchronized void say(String... words) {
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            line.append(line.isEmpty() ? "" : "\t")
                    .append(word.replace('\t', ' ').replace('\n', ' '));
        }
        out.println(line);
        out.flush();
    }
}
