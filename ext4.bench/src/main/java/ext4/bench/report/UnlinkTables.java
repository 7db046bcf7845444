// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.load.TreeLoad;
import ext4.bench.measure.Rounds.OrphanWrites;
import ext4.bench.measure.Sample;
import ext4.bench.measure.Samples;
import ext4.bench.measure.Spread;
import ext4.bench.measure.Workload;
import ext4.bench.subject.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Report 2 in its own layout: create, find, unlink across, and when the first and the last remover ended. */
public final class UnlinkTables {
    private final Samples samples;
    private final boolean journal;

    /** @param journal for the titles */
    public UnlinkTables(Samples samples, boolean journal) {
        this.samples = samples;
        this.journal = journal;
    }

    /** All tables as text. */
    public String text(Map<Label, OrphanWrites> orphanWrites) {
        int most = samples.taskCounts().getLast();
        StringBuilder text = new StringBuilder();
        text.append(TreeLoad.DIRECTORIES + " directories of empty files, " + most + " tasks side by side, "
                + (journal ? "journal" : "no journal") + "; seconds\n");
        text.append(times(most)).append('\n');
        text.append("files per ms, by tasks\n").append(rates()).append('\n');
        text.append("us of processor time a file, client and server, " + most + " tasks\n");
        text.append(cpu(most)).append('\n');
        text.append(orphans(orphanWrites));
        return text.toString();
    }

    private String times(int tasks) {
        Table table = new Table("", "files", "create", "find", "unlink", "first rm", "last rm", "all free", "fairness");
        for (Label label : samples.labels()) {
            table.row(
                    label.toString(),
                    Long.toString(samples.of(label, "create", tasks)
                            .getFirst()
                            .outcome()
                            .total()),
                    samples.median(label, "create", tasks, Sample::seconds),
                    samples.median(label, "find", tasks, Sample::seconds),
                    samples.median(label, "remove", tasks, Sample::seconds),
                    samples.median(label, "remove", tasks, s -> s.outcome().first() / 1e9),
                    samples.median(label, "remove", tasks, s -> s.outcome().last() / 1e9),
                    samples.median(label, "remove", tasks, s -> s.outcome().settled() / 1e9),
                    samples.median(label, "remove", tasks, s -> s.outcome().fairness()));
        }
        return table.text();
    }

    private String rates() {
        List<String> header = new ArrayList<>(List.of(""));
        for (String phase : Workload.Unlink.PHASES) {
            samples.taskCounts().forEach(tasks -> header.add(phase + " " + tasks));
        }
        Table table = new Table(header);
        for (Label label : samples.labels()) {
            List<String> row = new ArrayList<>(List.of(label.toString()));
            for (String phase : Workload.Unlink.PHASES) {
                samples.taskCounts().forEach(tasks -> row.add(samples.median(label, phase, tasks, Sample::perMilli)));
            }
            table.row(row);
        }
        return table.text();
    }

    private String cpu(int tasks) {
        List<String> header = new ArrayList<>(List.of(""));
        header.addAll(Workload.Unlink.PHASES);
        Table table = new Table(header);
        for (Label label : samples.labels()) {
            List<String> row = new ArrayList<>(List.of(label.toString()));
            Workload.Unlink.PHASES.forEach(phase -> row.add(samples.median(label, phase, tasks, Sample::cpuMicros)));
            table.row(row);
        }
        return table.text();
    }

    private static String orphans(Map<Label, OrphanWrites> writes) {
        if (writes.isEmpty()) {
            return "";
        }
        Table table =
                new Table("changes of the orphan list on disk while files were removed", "files", "changes", "each");
        writes.forEach((label, count) -> table.row(
                label.toString(),
                Long.toString(count.removed()),
                Long.toString(count.changes()),
                Spread.number((double) count.changes() / count.removed())));
        return table.text() + '\n';
    }
}
