// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab diff}. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "One random sequence of operations on the kernel's ext4 and on this one: each result is compared, each",
            "hundred steps everything that can be asked, then the images change sides. Needs root, loop devices and",
            "e2fsprogs. Exit status 0 if nothing differed but what is listed.",
        })
public final class DiffCommand implements Callable<Integer> {
    private static final List<String> PLACES = List.of("in-process", "mount");

    @Option(names = "--ops", paramLabel = "N", description = "How many operations (10000).")
    private long ops = 10_000;

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--place", paramLabel = "PLACE", description = "in-process (default), or mount: through FUSE.")
    private String place = PLACES.getFirst();

    @Option(
            names = "--options",
            paramLabel = "OPTIONS",
            description = "Of mke2fs(8); all kinds of filesystems in turn by default.")
    private String options;

    @Option(names = "--replay", paramLabel = "FILE", description = "Does the steps of a script that was printed.")
    private Path replay;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "How long to look for a shorter sequence that fails (60).")
    private int patience = 60;

    @Option(names = "--keep", paramLabel = "DIR", description = "Folder for both images after a --replay.")
    private Path keep;

    @Option(names = "--dir", paramLabel = "DIR", description = "Medium of the images (default: /dev/shm).")
    private Path medium;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (!PLACES.contains(place)) {
            throw refused("--place knows no '" + place + "', only " + String.join(", ", PLACES));
        }
        if (ops < 1) {
            throw refused("--ops takes a number from 1 on");
        }
        List<String> lines = replay == null ? null : Files.readAllLines(replay);
        try (DiffRun run = new DiffRun(place.equals("mount"), medium, patience, System.out)) {
            if (lines != null) {
                try {
                    run.replay(lines, keep);
                } catch (IllegalArgumentException e) {
                    throw refused(replay + ": " + e.getMessage());
                }
            } else {
                long start = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed;
                System.out.println("seed " + start + ", " + run.place());
                run.random(ops, start, options);
            }
            return run.finish() ? 0 : 1;
        }
    }

    private ParameterException refused(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
