// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.live.LiveCourse;
import ext4.bench.load.LiveLoad.Course;
import ext4.bench.load.TreeLoad;
import ext4.bench.measure.Progress;
import ext4.bench.measure.Workload;
import ext4.bench.report.Charts;
import ext4.bench.report.LiveText;
import ext4.bench.subject.Ground;
import ext4.bench.subject.InProcess;
import ext4.bench.subject.OwnMount;
import ext4.bench.subject.Subject;
import ext4.bench.subject.Unavailable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code --live}: the strategy is switched, and switched back, under the load of report 2. */
final class LiveRun {
    private static final String FIRST = "global";
    private static final List<String> THEN = List.of("sharded", "global");

    private final Settings settings;
    private final Ground ground;
    private final PrintStream out;

    LiveRun(Settings settings, Ground ground, PrintStream out) {
        this.settings = settings;
        this.ground = ground;
        this.out = out;
    }

    /** False if a call failed. */
    boolean run() throws IOException, InterruptedException {
        Charts charts = settings.out() == null ? null : new Charts(Files.createDirectories(settings.out()));
        out.println(Notes.machine(ground.folder(), settings));
        boolean good = true;
        try (Progress progress = new Progress()) {
            for (Subject subject : subjects()) {
                progress.show("live: " + subject.label());
                try {
                    subject.start();
                } catch (Unavailable e) {
                    out.println(subject.label() + " is left out: " + e.getMessage());
                    continue;
                }
                warmUp(subject);
                Course course = LiveCourse.parse(subject.live(TreeLoad.DIRECTORIES, settings.liveMillis(), THEN));
                progress.clear();
                String place = subject.label().place();
                String title = place + ", " + TreeLoad.DIRECTORIES + " tasks create and unlink, journal";
                out.print(LiveText.of(title, FIRST, course));
                good &= course.failed() == 0;
                if (charts != null) {
                    charts.live("live-" + place.replace(' ', '-'), title, course);
                }
            }
        }
        if (charts != null) {
            out.println("written to " + settings.out() + ": " + charts.written().size() + " charts");
        }
        return good;
    }

    private List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        if (settings.inProcess()) {
            subjects.add(new InProcess(ground, FIRST, false, true, settings.direct()));
        }
        if (settings.mounted()) {
            settings.transports()
                    .forEach(transport -> subjects.add(new OwnMount(ground, transport, FIRST, false, true)));
        }
        return subjects;
    }

    private void warmUp(Subject subject) throws IOException {
        Workload workload = new Workload.Unlink(List.of(TreeLoad.DIRECTORIES), settings.files(), settings.files());
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.warmupMillis());
        do {
            workload.run(subject, TreeLoad.DIRECTORIES);
        } while (System.nanoTime() < end);
    }
}
