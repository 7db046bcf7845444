// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Lines of a label and a value, the values one below another. */
final class Lines {
    private static final int VALUE_COLUMN = 26;
    private static final DateTimeFormatter CTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH);

    private final PrintWriter out;

    Lines(PrintWriter out) {
        this.out = out;
    }

    void text(String label, String value) {
        out.println(label + " ".repeat(Math.max(0, VALUE_COLUMN - label.length())) + value);
    }

    /** A line that does not follow the pattern. */
    void whole(String line) {
        out.println(line);
    }

    void number(String label, long value) {
        text(label, Long.toUnsignedString(value));
    }

    /** The line is left out if the value is 0. */
    void nonZero(String label, long value) {
        if (value != 0) {
            number(label, value);
        }
    }

    void hex(String label, int value) {
        text(label, String.format("0x%08x", value));
    }

    /** A time of so many seconds since 1970, as ctime(3) writes it. */
    void time(String label, long seconds) {
        text(label, CTIME.format(Instant.ofEpochSecond(seconds).atZone(ZoneId.systemDefault())));
    }
}
