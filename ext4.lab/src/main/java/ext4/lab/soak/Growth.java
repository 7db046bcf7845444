// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the serving process takes over time, and whether it grows. */
final class Growth {
    /** Whatever is compiled and cached needs this long to get its size. */
    static final double SECONDS_TO_JUDGE = 180;

    /** What the agent samples, in its order, and how much more than in the first half of the run it may be at the end. */
    private enum Row {
        RESIDENT("resident memory, MiB", 1024, 1.15, 32 << 10),
        HEAP("heap in use after a collection, MiB", 1024, 1.25, 24 << 10),
        DESCRIPTORS("descriptors", 1, 1, 12),
        THREADS("threads", 1, 1, 12),
        CLASSES("classes loaded", 1, 1.05, 300);

        final String text;
        final int unit;
        final double factor;
        final long more;

        Row(String text, int unit, double factor, long more) {
            this.text = text;
            this.unit = unit;
            this.factor = factor;
            this.more = more;
        }
    }

    private record Sample(double seconds, long[] values) {}

    private final List<Sample> samples = new ArrayList<>();

    /** Takes the agent's line. */
    void add(double seconds, List<String> words) {
        long[] values = new long[Row.values().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = Long.parseLong(words.get(i + 1));
        }
        samples.add(new Sample(seconds, values));
    }

    /** The latest, in a few words. */
    String latest() {
        Sample last = samples.getLast();
        return String.format(
                Locale.ROOT,
                "%d MiB resident, %d MiB heap, %d descriptors",
                last.values[0] / Row.RESIDENT.unit,
                last.values[1] / Row.HEAP.unit,
                last.values[2]);
    }

    private long first(Row row) {
        double half = samples.getLast().seconds / 2;
        return samples.stream()
                .filter(sample -> sample.seconds <= half)
                .mapToLong(sample -> sample.values[row.ordinal()])
                .max()
                .orElse(samples.getFirst().values[row.ordinal()]);
    }

    private long bound(Row row) {
        return (long) (first(row) * row.factor) + row.more;
    }

    private boolean grows(Row row) {
        return samples.getLast().values[row.ordinal()] > bound(row);
    }

    private boolean judged() {
        return !samples.isEmpty() && samples.getLast().seconds >= SECONDS_TO_JUDGE;
    }

    /** Whether something has grown beyond its bound. */
    boolean grows() {
        if (judged()) {
            for (Row row : Row.values()) {
                if (grows(row)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The samples and the bounds. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder("| serving process |");
        StringBuilder rule = new StringBuilder("|---|");
        for (Sample sample : samples) {
            head.append(String.format(Locale.ROOT, " %.0f s |", sample.seconds));
            rule.append("---|");
        }
        lines.add(head + " may be |");
        lines.add(rule + "---|");
        for (Row row : Row.values()) {
            StringBuilder line = new StringBuilder("| " + row.text + " |");
            samples.forEach(sample -> line.append(' ')
                    .append(sample.values[row.ordinal()] / row.unit)
                    .append(" |"));
            line.append(judged() ? " " + bound(row) / row.unit + (grows(row) ? " **GROWS** |" : " |") : " |");
            lines.add(line.toString());
        }
        if (!judged()) {
            lines.add(String.format(Locale.ROOT, "(growth is judged in runs of %.0f s and more)", SECONDS_TO_JUDGE));
        }
        return lines;
    }
}
