// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.measure.Sample;
import ext4.bench.measure.Samples;
import ext4.bench.subject.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Report 1 in its own layout: tasks down, before and after across. */
public final class FchownTables {
    private static final String PHASE = "fchown";

    private final Samples samples;
    private final boolean journal;

    /** @param journal for the titles */
    public FchownTables(Samples samples, boolean journal) {
        this.samples = samples;
        this.journal = journal;
    }

    /** All tables as text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (String place : samples.ownPlaces()) {
            List<Label> columns = samples.labels().stream()
                    .filter(label -> label.place().equals(place))
                    .toList();
            table(text, "fchown pairs per ms, " + place, columns, Sample::perMilli);
        }
        List<Label> peers =
                samples.labels().stream().filter(label -> !label.own()).toList();
        if (!peers.isEmpty()) {
            table(text, "fchown pairs per ms, peers", peers, Sample::perMilli);
        }
        List<Label> thrifty =
                samples.labels().stream().filter(label -> !label.alwaysRemove()).toList();
        cpu(text, thrifty);
        return text.toString();
    }

    private void table(StringBuilder text, String title, List<Label> columns, ToDoubleFunction<Sample> value) {
        List<String> header = new ArrayList<>(List.of("tasks"));
        columns.forEach(label -> header.add(label.variant()));
        Table table = new Table(header);
        for (int tasks : samples.taskCounts()) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(tasks)));
            columns.forEach(label -> row.add(samples.median(label, PHASE, tasks, value)));
            table.row(row);
        }
        text.append(title).append(mode()).append('\n').append(table.text()).append('\n');
    }

    private void cpu(StringBuilder text, List<Label> rows) {
        List<String> header = new ArrayList<>(List.of("us of processor time a pair, client and server"));
        samples.taskCounts().forEach(tasks -> header.add(tasks + (tasks == 1 ? " task" : " tasks")));
        Table table = new Table(header);
        for (Label label : rows) {
            List<String> row = new ArrayList<>(List.of(label.toString()));
            samples.taskCounts().forEach(tasks -> row.add(samples.median(label, PHASE, tasks, Sample::cpuMicros)));
            table.row(row);
        }
        text.append(table.text()).append('\n');
    }

    private String mode() {
        return journal ? ", journal" : ", no journal";
    }
}
