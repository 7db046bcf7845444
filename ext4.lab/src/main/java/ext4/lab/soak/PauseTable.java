// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Pauses by kind of swap, as a table of Markdown. */
final class PauseTable {
    private static final double PERCENT = 0.99;

    private PauseTable() {}

    static List<String> of(List<Swap> swaps, Ledger ledger, String medium) {
        Map<String, List<Swap>> kinds = new TreeMap<>();
        swaps.forEach(swap ->
                kinds.computeIfAbsent(swap.kind(), kind -> new ArrayList<>()).add(swap));
        List<String> lines = new ArrayList<>();
        lines.add("Pause in ms, median / p99 / worst; image on " + medium + ":");
        lines.add("");
        lines.add("| replaced | swaps | callers held | longest call seen by a program | KiB flushed meanwhile"
                + " | orphans carried |");
        lines.add("|---|---|---|---|---|---|");
        kinds.forEach((kind, all) -> lines.add("| " + kind + " | " + all.size()
                + " | " + millis(all, swap -> swap.pauseMicros() * 1000)
                + " | " + millis(all, swap -> ledger.longest(swap.begin(), swap.end()))
                + " | " + kilobytes(all)
                + " | " + all.stream().mapToLong(Swap::orphans).max().orElse(0) + " at most |"));
        return lines;
    }

    private static String millis(List<Swap> all, ToLongFunction<Swap> nanos) {
        long[] sorted = all.stream().mapToLong(nanos).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "%.2f / %.2f / %.2f",
                rank(sorted, 0.5) / 1e6,
                rank(sorted, PERCENT) / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private static String kilobytes(List<Swap> all) {
        long[] sorted = all.stream()
                .mapToLong(swap -> swap.flushedBytes() >> 10)
                .sorted()
                .toArray();
        return rank(sorted, 0.5) + " / " + rank(sorted, PERCENT) + " / " + sorted[sorted.length - 1];
    }

    /** The nearest rank: the least value that this share of all does not exceed. */
    static long rank(long[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
