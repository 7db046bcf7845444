// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.mutant.Mutant;
import ext4.testkit.oracle.Tool;
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

/** {@code ext4 lab crash}. */
@Command(
        name = "crash",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Records workloads write by write and cuts the power after each of them, and with writes since the last",
            "flush lost or torn at 512 bytes. Each image that comes of it counts once; it is recovered here, by e2fsck",
            "and, one in 500, by the kernel (as root), and must then be clean and hold what was promised: the tree of",
            "some operation, with nobody else's bytes. Exit status 0 if that was so for all. Needs e2fsprogs.",
        })
public final class CrashCommand implements Callable<Integer> {
    private static final int MOST_THREADS = 64;

    @Option(names = "--states", paramLabel = "N", description = "How many different images (5000).")
    private long states = 5_000;

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description = "Go on with the run that wrote FILE, or begin one that does; --states counts both.")
    private Path resume;

    @Option(
            names = "--mutant",
            paramLabel = "NAME",
            description = "Plant a mistake, to see that it is found: flush, revoke, reuse, link, twice, late.")
    private String mutant;

    @Option(names = "--threads", paramLabel = "N", description = "Explorers side by side (one for each processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--workload", paramLabel = "N", description = "Explore only this one, as a finding names it.")
    private int workload = -1;

    @Option(names = "--dir", paramLabel = "DIR", description = "For images shown to other programs (/dev/shm).")
    private Path scratch;

    @Option(names = "--keep", paramLabel = "DIR", description = "Keep images that were not recovered there.")
    private Path keep;

    @Option(names = "--findings", paramLabel = "N", description = "End after so many (20).")
    private int findings = 20;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(states >= 1, "--states takes a number from 1 on");
        check(findings >= 1, "--findings takes a number from 1 on");
        check(threads >= 1 && threads <= MOST_THREADS, "--threads takes a number from 1 to " + MOST_THREADS);
        Mutant planted = mutant == null ? Mutant.NONE : Mutant.named(mutant);
        check(
                planted != null && (mutant == null || planted != Mutant.NONE),
                "--mutant knows no '" + mutant + "', only " + String.join(", ", Mutant.names()));
        check(resume == null || planted == Mutant.NONE, "--resume is not for mutants");
        check(keep == null || Files.isDirectory(keep), "--keep: there is no folder " + keep);
        check(scratch == null || Files.isDirectory(scratch), "--dir: there is no folder " + scratch);
        if (!Tool.installed("e2fsck") || !Tool.installed("mke2fs") || !Tool.installed("debugfs")) {
            throw new IOException("e2fsck, mke2fs and debugfs of e2fsprogs are needed");
        }
        Settings settings = new Settings(
                states,
                seed == null ? newSeed() : seed,
                resume,
                planted,
                threads,
                workload,
                scratch == null ? usualScratch() : scratch,
                keep,
                findings);
        return new Explorer(settings, System.out).run() ? 0 : 1;
    }

    /** That of the run that is resumed, or any. */
    private long newSeed() throws IOException {
        return resume != null && Files.exists(resume)
                ? ResumeFile.seed(resume)
                : ThreadLocalRandom.current().nextLong(1, 1L << 31);
    }

    /** In memory, where there is such a folder. */
    static Path usualScratch() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private void check(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
