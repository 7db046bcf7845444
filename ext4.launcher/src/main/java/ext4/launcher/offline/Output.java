// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import ext4.launcher.Messages;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** What the commands on files print: names escaped as {@code ls -b} does, in UTF-8 whatever the locale. */
final class Output {
    /** Names in the order of their bytes, as in the C locale. */
    static final Comparator<String> BY_BYTES =
            (a, b) -> Arrays.compareUnsigned(ByteNames.encode(a), ByteNames.encode(b));

    private final String command;
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private int status;

    Output(String command) {
        this.command = command;
    }

    void line(String text) {
        out.print(text);
        out.print('\n');
    }

    PrintStream stream() {
        return out;
    }

    /** Whether nobody reads any more. */
    boolean isClosed() {
        return out.checkError();
    }

    /** Says what is wrong; the exit status is at least {@code code} from now on. */
    void trouble(IOException e, int code) {
        trouble(Messages.of(e), code);
    }

    /** The same in words that are safe for a terminal. */
    void trouble(String message, int code) {
        out.flush();
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        err.print("ext4: " + command + ": " + message + "\n");
        status = Math.max(status, code);
    }

    /** The exit status; flushes. */
    int finish() {
        out.flush();
        return status;
    }
}
