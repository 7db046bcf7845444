// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab locks}. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Threads work on a filesystem in memory while its parts are replaced; each order in which locks are waited",
            "for is held against ARCHITECTURE.md. Exit status 0 if there is no cycle and nothing that it forbids.",
        })
public final class LocksCommand implements Callable<Integer> {
    @Option(names = "--steps", paramLabel = "N", description = "Of each thread (200000).")
    private int steps = 200_000;

    @Option(names = "--threads", paramLabel = "N", description = "At the same time (4).")
    private int threads = 4;

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--order", paramLabel = "FILE", description = "The page that states the order (ARCHITECTURE.md).")
    private Path order = Path.of("ARCHITECTURE.md");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (steps < 1 || threads < 1) {
            throw new ParameterException(spec.commandLine(), "--steps and --threads take numbers from 1 on");
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed;
        System.out.println("seed " + chosen);
        try {
            return new LockRun(Files.readString(order), System.out).run(chosen, threads, steps, false) == 0 ? 0 : 1;
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), order + " can't be read: run it in the project's folder");
        }
    }
}
