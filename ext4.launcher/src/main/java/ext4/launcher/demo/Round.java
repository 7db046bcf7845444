// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.demo;

import java.util.Locale;

/** What one run of the load took; times in microseconds. */
final class Round {
    private final String label;
    private long created;
    private long found;
    private long firstRemover = Long.MAX_VALUE;
    private long lastRemover;
    private long removed;
    private String failure;

    Round(String label) {
        this.label = label;
    }

    /** Takes one line of the load, see {@link ext4.control.load.Load}. */
    void take(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "created" -> created = Long.parseLong(words[1]);
            case "found" -> found = Long.parseLong(words[1]);
            case "removed" -> {
                if (words.length == 3) {
                    long end = Long.parseLong(words[2]);
                    firstRemover = Math.min(firstRemover, end);
                    lastRemover = Math.max(lastRemover, end);
                } else {
                    removed = Long.parseLong(words[1]);
                }
            }
            case "failed" -> failure = line;
            default -> {} // how far it is
        }
    }

    /** Why it did not go through to its end, or null. */
    String failure() {
        return failure != null || removed > 0 ? failure : "the load ended early";
    }

    static String header() {
        return String.format(
                "%-20s %10s %10s %10s %16s %16s", "", "create", "find", "remove", "first remover", "last remover");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-20s %8.2f s %8.2f s %8.2f s %14.2f s %14.2f s",
                label,
                created / 1e6,
                found / 1e6,
                removed / 1e6,
                firstRemover / 1e6,
                lastRemover / 1e6);
    }
}
