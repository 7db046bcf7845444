// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab fault}. */
@Command(
        name = "fault",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Does a seeded mixed workload on a device in memory, again and again, and each time has another of its first",
            "reads, writes and flushes go wrong: fail, be short or slow, once or from then on, or with it the device",
            "disappears, fills up, proves smaller than it said. With each strategy, with and without a journal, with",
            "errors=continue and remount-ro. What was acknowledged must be there after recovery, here and by e2fsck, calls",
            "must answer as the kernel's ext4, and the unmount must end. Needs e2fsprogs, not root.",
            "Exit status 0 if nothing was lost, nothing hung and no foreign exception was seen.",
        })
public final class FaultCommand implements Callable<Integer> {
    @Option(names = "--ops", paramLabel = "N", description = "Operations, from the first of the workload (2000).")
    private long operations = 2000;

    @Option(
            names = "--depth",
            paramLabel = "WORD",
            description = "one_way: each operation in one way; each_way (default): in each; all: that in each setting.")
    private String depth = "each_way";

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--case", paramLabel = "CASE", description = "One case only, as it was printed, with its --seed.")
    private String only;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (operations <= 0) {
            throw new ParameterException(spec.commandLine(), "--ops takes a number from 1 on");
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed;
        System.out.println("seed " + chosen);
        Explorer explorer = new Explorer(operations, chosen, wanted(), System.out::println);
        explorer.prepare();
        Explorer.Figures figures;
        if (only != null) {
            figures = explorer.run(parsed());
        } else {
            System.out.println("mounts of the workload: " + explorer.sessions());
            Thread progress = Thread.ofPlatform().daemon().name("progress").start(() -> progress(explorer));
            figures = explorer.run();
            progress.interrupt();
            progress.join();
        }
        if (figures.missed() > 0) {
            System.out.println("operations that were not reached: " + figures.missed());
        }
        System.out.println(figures);
        return figures.isGood() ? 0 : 1;
    }

    private Explorer.Depth wanted() {
        for (Explorer.Depth each : Explorer.Depth.values()) {
            if (each.name().equalsIgnoreCase(depth)) {
                return each;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--depth knows no '" + depth + "', only one_way, each_way, all");
    }

    private Case parsed() {
        try {
            return Case.parse(only);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--case: " + e.getMessage(), e);
        }
    }

    private static void progress(Explorer explorer) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(terminal ? 1 : 10);
                String line = "lab: fault: " + explorer.done() + " of " + explorer.trials();
                System.err.print(terminal ? "\r" + line : line + "\n");
            }
        } catch (InterruptedException e) {
            if (terminal) {
                System.err.println();
            }
        }
    }
}
