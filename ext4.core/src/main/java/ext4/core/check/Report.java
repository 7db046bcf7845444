// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints and counts what is found. For one thread. */
final class Report {
    private final PrintWriter out;
    private final CheckOptions options;
    private long problems;
    private long notPrinted;

    Report(PrintWriter out, CheckOptions options) {
        this.out = out;
        this.options = options;
    }

    /** A damage: the filesystem is not clean. One line. */
    void problem(String format, Object... args) {
        problems++;
        if (problems <= options.maxLines()) {
            out.println(String.format(Locale.ROOT, format, args));
        } else {
            notPrinted++;
        }
    }

    /** Something to know that is no damage. One line. */
    void note(String format, Object... args) {
        out.println(String.format(Locale.ROOT, format, args));
    }

    void pass(String name) {
        out.println(name);
        options.progress().accept(name);
    }

    long problems() {
        return problems;
    }

    long notPrinted() {
        return notPrinted;
    }

    /** A name as it may be shown on a terminal. */
    static String printable(byte[] b, int off, int len) {
        StringBuilder text = new StringBuilder(len);
        for (int i = off; i < off + len; i++) {
            int c = b[i] & 0xFF;
            if (c < ' ' || c >= 0x7F) {
                text.append(String.format(Locale.ROOT, "\\x%02x", c));
            } else {
                text.append((char) c);
            }
        }
        return text.toString();
    }
}
