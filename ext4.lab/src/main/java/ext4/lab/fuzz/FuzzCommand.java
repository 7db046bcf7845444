// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.testkit.oracle.Tool;
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

/** {@code ext4 lab fuzz}. */
@Command(
        name = "fuzz",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Damages structures of images in memory, with their checksums made anew so that the damage is reached;",
            "mounts each read-only and read-write, reads all, changes all, unmounts, and checks it beside e2fsck.",
            "Every operation has a bound of time, memory and requests to the device. Needs e2fsprogs.",
            "Exit status 0 if nothing hangs, crashes or throws what it may not, and the checker misses nothing.",
        })
public final class FuzzCommand implements Callable<Integer> {
    @Option(names = "--images", paramLabel = "N", description = "How many (5000).")
    private long images = 5000;

    @Option(names = "--seed", paramLabel = "N", description = "Of the first image, the others follow; printed.")
    private Long seed;

    @Option(names = "--one", paramLabel = "SEED", description = "Only the image of that seed; tells what was changed.")
    private Long one;

    @Option(
            names = "--damage",
            paramLabel = "TEXT",
            description = "Only this, as a finding prints it: IMAGE: PART FIELD=VALUE; ...")
    private String damage;

    @Option(names = "--threads", paramLabel = "N", description = "That work (as many as processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--e2fsck", paramLabel = "N", description = "One image in N is shown to e2fsck too (10).")
    private int every = 10;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (images < 1 || threads < 1 || every < 1) {
            throw new ParameterException(spec.commandLine(), "--images, --threads and --e2fsck take numbers from 1 on");
        }
        if (!Tool.installed("mke2fs") || !Tool.installed("e2fsck")) {
            throw new ParameterException(spec.commandLine(), "e2fsprogs is not installed");
        }
        long first = one != null
                ? one
                : seed != null ? seed : ThreadLocalRandom.current().nextLong(1, 1L << 31);
        Path memory = Path.of("/dev/shm");
        Path folder = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "ext4-fuzz")
                : Files.createTempDirectory("ext4-fuzz");
        try {
            FuzzRun run = new FuzzRun(new FuzzRun.Settings(images, first, threads, every), folder, System.out);
            return one != null || damage != null ? single(run, first, folder) : many(run, first);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private int many(FuzzRun run, long first) throws InterruptedException {
        System.out.println("seed " + first);
        boolean good = run.run();
        System.out.println(run.totals().line());
        return good ? 0 : 1;
    }

    private int single(FuzzRun run, long number, Path folder) {
        Base base = damage != null ? run.base(damage.substring(0, Math.max(0, damage.indexOf(':')))) : run.base(number);
        List<Mutation> mutations = damage != null ? FuzzRun.parse(damage) : new Damages(base, number).choose();
        System.out.println("seed " + number + ", " + FuzzRun.text(base, mutations));
        Trial trial;
        try (Judge judge = new Judge(folder)) {
            trial = run.trial(base, mutations, number, judge, new Watchdog());
        }
        trial.findings().forEach(finding -> System.out.println("found: " + finding));
        System.out.println(trial.checked());
        run.totals().image(trial);
        run.totals().judged(trial.agrees());
        trial.findings().forEach(finding -> run.totals().found(finding.kind()));
        System.out.println(run.totals().line());
        return run.totals().isGood() ? 0 : 1;
    }
}
