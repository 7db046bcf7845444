// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import ext4.lab.load.Manifest;
import ext4.lab.load.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** e2fsck and the kernel look at the image that was unmounted. */
final class Judges {
    private final Ground ground;
    private final Ledger ledger;

    Judges(Ground ground, Ledger ledger) {
        this.ground = ground;
        this.ledger = ledger;
    }

    /** Exit status of {@code e2fsck -fn}. */
    int e2fsck() throws IOException, InterruptedException {
        Commands.Result result = Commands.run(
                List.of(Commands.find("e2fsck"), "-fn", ground.image().toString()));
        ledger.say("e2fsck -fn: exit status " + result.status() + (result.status() == 0 ? "" : "\n" + result.output()));
        return result.status();
    }

    /** Mounts it read-only and compares every file with what its load expects. */
    void kernel(List<LoadProcess> loads) throws IOException, InterruptedException {
        KernelMount kernel;
        try {
            kernel = KernelMount.start(ground, "judge", "ro");
        } catch (IOException e) {
            ledger.failed("the kernel", "mount", ground.image().toString(), e.getMessage(), "success");
            return;
        }
        try {
            int files = 0;
            for (LoadProcess load : loads) {
                ByteArrayOutputStream told = new ByteArrayOutputStream();
                try (PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8)) {
                    files += Manifest.compare(load.manifest(), kernel.directory(), new Outcome(out));
                }
                told.toString(StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.split("\t"))
                        .forEach(words -> {
                            if (words[0].equals("differs")) {
                                ledger.differs(load.kind() + ", seen by the kernel", words[1], words[2], words[3]);
                            } else {
                                ledger.failed(load.kind() + ", by the kernel", words[1], words[2], words[3], words[4]);
                            }
                        });
            }
            ledger.say("the kernel's ext4 has compared " + files + " files");
        } finally {
            kernel.end();
        }
    }
}
