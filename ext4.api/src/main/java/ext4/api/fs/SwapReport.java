// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * What a live switch of the orphan strategy did.
 *
 * @param from name of the strategy before
 * @param to name of the strategy after
 * @param orphansCarried orphans handed over
 * @param pauseMicros how long no handle could be started, in microseconds
 * @param diskChanges blocks' worth of orphan records that the old one wrote at its last closing
 */
public record SwapReport(String from, String to, long orphansCarried, long pauseMicros, long diskChanges) {
    /** In one line, for people. */
    public String text() {
        if (from.equals(to) && pauseMicros == 0) {
            return to + " was at work already";
        }
        return from + " -> " + to + ": " + orphansCarried + " orphans carried, pause " + pauseMicros + " us, "
                + diskChanges + " orphan records flushed";
    }
}
