// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab linear}. */
@Command(
        name = "linear",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Several threads create, link, remove, rename, look up and list the same few names at the same time, on",
            "filesystems in memory; for each history an order of its calls is looked for in which a simple model gives",
            "the same answers. Exit status 0 if each has one.",
        })
public final class LinearCommand implements Callable<Integer> {
    @Option(names = "--histories", paramLabel = "N", description = "How many (100000).")
    private int histories = 100_000;

    @Option(names = "--threads", paramLabel = "N", description = "At the same time (3).")
    private int threads = 3;

    @Option(names = "--calls", paramLabel = "N", description = "Of each thread in a history (6).")
    private int calls = 6;

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--plant", paramLabel = "MISTAKE", description = "A mistake to be found: ${COMPLETION-CANDIDATES}.")
    private Mutant mutant;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (histories < 1 || threads < 2 || calls < 1 || (long) threads * calls > Search.MOST) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--histories from 1, --threads from 2, threads times calls up to " + Search.MOST);
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed;
        System.out.println("seed " + chosen);
        LinearRun run = new LinearRun(chosen, threads, calls, fs -> mutant == null ? fs : mutant.of(fs), System.out);
        int wrong = run.run(histories);
        System.out.println("histories: " + run.done() + ", calls: " + (long) run.done() * threads * calls
                + ", without an order: " + wrong);
        return wrong == 0 ? 0 : 1;
    }
}
