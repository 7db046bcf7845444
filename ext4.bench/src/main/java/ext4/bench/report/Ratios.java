// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.measure.Samples;
import ext4.bench.subject.Label;
import java.util.ArrayList;
import java.util.List;

/** Throughput of one subject over another's, or of several tasks over one, round by round: min / median / max. */
public final class Ratios {
    private static final String BEST = "sharded";

    private record Pair(Label one, Label other) {}

    private final Samples samples;

    /** Of those samples. */
    public Ratios(Samples samples) {
        this.samples = samples;
    }

    /** All tables as text. */
    public String text() {
        return against() + scaling();
    }

    private String against() {
        List<String> header = new ArrayList<>(List.of("throughput over the other's, min / median / max", "phase"));
        samples.taskCounts().forEach(tasks -> header.add(tasks(tasks)));
        Table table = new Table(header);
        for (Pair pair : pairs()) {
            for (String phase : samples.phases()) {
                List<String> row = new ArrayList<>(List.of(pair.one() + " / " + pair.other(), phase));
                for (int tasks : samples.taskCounts()) {
                    row.add(samples.ratio(pair.one(), tasks, pair.other(), tasks, phase)
                            .map(spread -> spread.text())
                            .orElse("-"));
                }
                table.row(row);
            }
        }
        return table.isEmpty() ? "" : table.text() + '\n';
    }

    private String scaling() {
        List<Integer> counts = samples.taskCounts();
        if (counts.size() < 2 || counts.getFirst() != 1) {
            return "";
        }
        List<Integer> more = counts.subList(1, counts.size());
        List<String> header = new ArrayList<>(List.of("throughput over that of one task, min / median / max", "phase"));
        more.forEach(tasks -> header.add(tasks(tasks)));
        Table table = new Table(header);
        for (Label label : samples.labels()) {
            for (String phase : samples.phases()) {
                List<String> row = new ArrayList<>(List.of(label.toString(), phase));
                for (int tasks : more) {
                    row.add(samples.ratio(label, tasks, label, 1, phase)
                            .map(spread -> spread.text())
                            .orElse("-"));
                }
                table.row(row);
            }
        }
        return table.text() + '\n';
    }

    private static String tasks(int count) {
        return count == 1 ? "1 task" : count + " tasks";
    }

    /** This project's best beside the other strategy, each peer it can be compared with, and the first transport. */
    private List<Pair> pairs() {
        List<Label> labels = samples.labels();
        List<Pair> pairs = new ArrayList<>();
        for (Label one : labels) {
            for (Label other : labels) {
                boolean comparable = one.own() && one.strategy().equals(BEST) && !one.alwaysRemove()
                        ? comparable(one, other)
                        : isNull(one) && isNull(other) && labels.indexOf(one) > labels.indexOf(other);
                if (comparable) {
                    pairs.add(new Pair(one, other));
                }
            }
        }
        return pairs;
    }

    private boolean comparable(Label one, Label other) {
        boolean inProcess = one.place().equals(Label.IN_PROCESS);
        if (!other.own()) {
            boolean kernel = other.place().startsWith("kernel ");
            boolean sameTransport =
                    isNull(other) && one.place().equals("mount " + other.place().substring(5));
            return kernel || !inProcess && (sameTransport || other.place().equals("fuse2fs"));
        }
        if (other.alwaysRemove()) {
            return false;
        }
        boolean otherStrategy =
                other.place().equals(one.place()) && !other.strategy().equals(BEST);
        List<String> places = samples.ownPlaces();
        boolean otherTransport = !inProcess
                && !other.place().equals(Label.IN_PROCESS)
                && other.strategy().equals(BEST)
                && places.indexOf(one.place()) > places.indexOf(other.place());
        return otherStrategy || otherTransport;
    }

    private static boolean isNull(Label label) {
        return !label.own() && label.place().startsWith("null ");
    }
}
