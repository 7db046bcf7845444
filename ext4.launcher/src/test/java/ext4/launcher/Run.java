// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a command left: its status and what it printed. */
record Run(int status, String out, String err) {
    /** Runs a command of this program in this process; a mount's server is a process of its own all the same. */
    static Run ext4(String... words) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(toOut, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(toErr, true, StandardCharsets.UTF_8));
            int status = Main.run(words);
            return new Run(status, toOut.toString(StandardCharsets.UTF_8), toErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
