// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.measure.Progress;
import ext4.bench.profile.SharedWrites;
import ext4.bench.profile.SharedWrites.Row;
import ext4.bench.profile.Waits;
import ext4.bench.report.Table;
import ext4.bench.subject.Ground;
import ext4.bench.subject.InProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code --profile}: who waits for whom, with each strategy. */
final class ProfileRun {
    private static final int TASKS = 8;
    /** Where the one mutex of {@code global} is waited for. */
    private static final String MUTEX = "ext4.orphan.global.GlobalOrphanList";

    private final Settings settings;
    private final Ground ground;
    private final PrintStream out;

    ProfileRun(Settings settings, Ground ground, PrintStream out) {
        this.settings = settings;
        this.ground = ground;
        this.out = out;
    }

    void run() throws IOException {
        out.println(Notes.machine(ground.folder(), settings));
        try (Progress progress = new Progress()) {
            for (String strategy : settings.strategies()) {
                progress.show("profile: " + strategy);
                InProcess subject = new InProcess(ground, strategy, false, true, settings.direct());
                subject.start();
                Path recording = ground.folder().resolve(strategy + ".jfr");
                String files = subject.request("profile " + recording + " " + TASKS + " " + settings.profileMillis())
                        .getFirst();
                progress.clear();
                print(strategy, files, Waits.read(recording));
                if (settings.out() != null) {
                    Files.createDirectories(settings.out());
                    Files.copy(recording, settings.out().resolve("profile-" + strategy + ".jfr"));
                }
            }
        }
        shared();
    }

    private void print(String strategy, String files, Waits waits) {
        out.println(strategy + ", journal, in-process: " + TASKS + " tasks made, gave away and removed " + files
                + " files in " + settings.profileMillis() / 1000 + " s; every wait, however short");
        out.println(waits.sites());
        out.println(waits.samples());
        out.println("waits of tasks for the mutex of global: " + waits.ofTasksAt(MUTEX) + "\n");
    }

    private void shared() throws IOException {
        out.println(
                "Atomic and volatile fields that more than one task writes on the path of create, setattr and unlink.");
        out.println("striped: only tasks of one stripe meet; object: only those on one inode, block or group.");
        Table table = new Table("field", "shared by", "");
        for (Row row : SharedWrites.rows()) {
            if (!row.sharing().equals("read")) {
                table.row(row.type() + "." + row.field(), row.sharing(), row.text());
            }
        }
        out.print(table.text());
    }
}
