// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.util.Locale;

/**
 * A swap that was made.
 *
 * @param part what was replaced
 * @param update whether its bundle was updated; else another provider was chosen by name
 * @param steps from what to what
 * @param begin when it was asked for, of {@link System#nanoTime}
 * @param end when it was done
 * @param pauseMicros how long callers were held, as the mount reports it, in microseconds, all steps together
 * @param flushedBytes what was written meanwhile
 * @param orphans carried
 */
record Swap(
        String part,
        boolean update,
        String steps,
        long begin,
        long end,
        long pauseMicros,
        long flushedBytes,
        long orphans) {
    String kind() {
        return part.toLowerCase(Locale.ROOT) + (update ? ", bundle updated" : ", switched by name");
    }
}
