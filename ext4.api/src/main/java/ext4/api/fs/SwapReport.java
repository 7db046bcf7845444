// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the replacement of a part of a mounted filesystem did.
 *
 * @param part what was replaced
 * @param from name of the one before
 * @param to name of the one after
 * @param orphansCarried orphans handed over
 * @param pauseMicros how long callers had to wait, in microseconds
 * @param diskChanges blocks' worth of orphan records that the old strategy wrote at its last closing
 * @param flushedBytes what was written while callers waited, in bytes
 */
public record SwapReport(
        Part part, String from, String to, long orphansCarried, long pauseMicros, long diskChanges, long flushedBytes) {
    /** What can be replaced while it is mounted. */
    public enum Part {
        /** {@link ext4.api.orphan.OrphanStrategy}. */
        STRATEGY("orphan strategy"),
        /** {@link ext4.api.journal.JournalProvider}. */
        JOURNAL("journal"),
        /** {@link CoreProvider}. */
        CORE("core"),
        /** {@link Transport}. */
        TRANSPORT("transport");

        private final String text;

        Part(String text) {
            this.text = text;
        }

        /** What people call it. */
        public String text() {
            return text;
        }

        /** What commands and events call it: {@code strategy}, {@code journal}, {@code core} or {@code transport}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The part that commands call so, or null. */
        public static Part of(String word) {
            for (Part part : values()) {
                if (part.word().equals(word)) {
                    return part;
                }
            }
            return null;
        }

        /** All words, for messages. */
        public static String words() {
            return Arrays.stream(values()).map(Part::word).collect(Collectors.joining(", "));
        }
    }

    /** Of an orphan strategy. */
    public SwapReport(String from, String to, long orphansCarried, long pauseMicros, long diskChanges) {
        this(Part.STRATEGY, from, to, orphansCarried, pauseMicros, diskChanges, 0);
    }

    /** In one line, for people. */
    public String text() {
        if (from.equals(to) && pauseMicros == 0) {
            return to + " was at work already";
        }
        String done = from + " -> " + to + ": " + orphansCarried + " orphans carried, pause " + pauseMicros + " us, ";
        return part == Part.STRATEGY
                ? done + diskChanges + " orphan records flushed"
                : part.text() + " " + done + flushedBytes + " bytes flushed";
    }
}
