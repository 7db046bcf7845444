// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.util.Locale;

/**
 * A swap that was made.
 *
 * @param part what was replaced
 * @param how what was asked for
 * @param steps from what to what
 * @param begin when it was asked for, of {@link System#nanoTime}
 * @param end when it was done
 * @param pauseMicros how long callers were held, as the mount reports it, in microseconds, all steps together
 * @param flushedBytes what was written meanwhile
 * @param orphans carried
 */
record Swap(
        String part, How how, String steps, long begin, long end, long pauseMicros, long flushedBytes, long orphans) {
    /** Ways to ask for a swap. */
    enum How {
        UPDATE("bundle updated"),
        RENEW("another instance"),
        SWITCH("another provider");

        private final String text;

        How(String text) {
            this.text = text;
        }
    }

    /** For people: of a part, how. */
    static String kind(String part, How how) {
        return part.toLowerCase(Locale.ROOT) + ": " + how.text;
    }

    String kind() {
        return kind(part, how);
    }
}
