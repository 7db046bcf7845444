// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.load.Outcome;
import ext4.bench.measure.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every run on a line of comma-separated values. */
public final class Csv {
    private static final String HEADER = "journal,place,strategy,always_remove,phase,tasks,round,operations,seconds,"
            + "per_ms,first_end_s,last_end_s,all_free_s,fairness,cpu_us_per_operation";

    private final List<String> lines = new ArrayList<>(List.of(HEADER));

    /** Adds runs. */
    public void add(List<Sample> samples) {
        samples.forEach(sample -> lines.add(line(sample)));
    }

    /** Writes everything to a file. */
    public void write(Path file) throws IOException {
        Files.write(file, lines);
    }

    private static String line(Sample s) {
        Outcome o = s.outcome();
        return String.format(
                Locale.ROOT,
                "%b,%s,%s,%b,%s,%d,%d,%d,%.6f,%.3f,%.6f,%.6f,%.6f,%.4f,%.3f",
                s.journal(),
                s.label().place(),
                s.label().strategy(),
                s.label().alwaysRemove(),
                s.phase(),
                s.tasks(),
                s.round(),
                o.total(),
                s.seconds(),
                s.perMilli(),
                o.first() / 1e9,
                o.last() / 1e9,
                o.settled() / 1e9,
                o.fairness(),
                s.cpuMicros());
    }
}
