// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.measure.Progress;
import ext4.bench.measure.Rounds;
import ext4.bench.measure.Samples;
import ext4.bench.measure.Workload;
import ext4.bench.report.Charts;
import ext4.bench.report.Csv;
import ext4.bench.report.FchownTables;
import ext4.bench.report.Ratios;
import ext4.bench.report.UnlinkTables;
import ext4.bench.subject.Cleanup;
import ext4.bench.subject.Ground;
import ext4.bench.subject.Label;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Measures the reports that were asked for and prints and writes what came out. */
final class ReportRun {
    private final Settings settings;
    private final Ground ground;
    private final Cleanup cleanup;
    private final PrintStream out;
    private final Csv csv = new Csv();
    private final Set<String> leftOut = new LinkedHashSet<>();

    ReportRun(Settings settings, Ground ground, Cleanup cleanup, PrintStream out) {
        this.settings = settings;
        this.ground = ground;
        this.cleanup = cleanup;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        Charts charts = settings.out() == null ? null : new Charts(Files.createDirectories(settings.out()));
        out.println(Notes.machine(ground.folder(), settings));
        try (Progress progress = new Progress()) {
            for (Workload workload : settings.workloads()) {
                for (boolean journal : settings.journals(workload)) {
                    measure(workload, journal, progress, charts);
                }
            }
        }
        if (settings.csv() != null) {
            csv.write(settings.csv());
        }
        if (charts != null) {
            csv.write(settings.out().resolve("samples.csv"));
            out.println("written to " + settings.out() + ": samples.csv and "
                    + charts.written().size() + " charts");
        }
        leftOut.forEach(out::println);
        out.println(Notes.HOW_TO_READ);
    }

    private void measure(Workload workload, boolean journal, Progress progress, Charts charts)
            throws IOException, InterruptedException {
        int mark = cleanup.mark();
        Rounds rounds =
                new Rounds(workload, journal, settings.rounds(), settings.warmupMillis(), progress, leftOut::add);
        Samples samples;
        try {
            samples = rounds.run(new Lineup(settings, ground).of(workload, journal));
        } finally {
            progress.show(workload.name() + ": unmounting");
            ground.backTo(mark);
            progress.clear();
        }
        if (samples.all().isEmpty()) {
            return;
        }
        csv.add(samples.all());
        out.print(
                workload instanceof Workload.Fchown
                        ? new FchownTables(samples, journal).text()
                        : new UnlinkTables(samples, journal).text(rounds.orphanWrites()));
        out.print(new Ratios(samples).text());
        if (charts != null) {
            draw(charts, workload, samples, journal ? "journal" : "no-journal");
        }
    }

    private static void draw(Charts charts, Workload workload, Samples samples, String mode) throws IOException {
        List<Label> labels = samples.labels();
        List<Label> inProcess = labels.stream()
                .filter(l -> l.place().equals(Label.IN_PROCESS) || l.place().startsWith("kernel "))
                .toList();
        List<Label> mounts =
                labels.stream().filter(l -> !l.place().equals(Label.IN_PROCESS)).toList();
        for (String phase : samples.phases()) {
            if (!inProcess.isEmpty()) {
                charts.throughput(
                        phase + "-in-process-" + mode, phase + ", in-process, " + mode, samples, phase, inProcess);
            }
            if (!mounts.isEmpty()) {
                charts.throughput(phase + "-mounts-" + mode, phase + ", mounts, " + mode, samples, phase, mounts);
            }
        }
        if (workload instanceof Workload.Unlink) {
            int most = samples.taskCounts().getLast();
            charts.removers("removers-" + mode, most + " removers, " + mode, samples, most, labels);
        }
    }
}
