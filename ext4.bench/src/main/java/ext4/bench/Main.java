// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.jmh.JmhRun;
import ext4.bench.load.FailedCall;
import ext4.bench.subject.Cleanup;
import ext4.bench.subject.Ground;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ext4 bench}. */
@Command(
        name = "ext4 bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the two reports on this filesystem, in-process and mounted, and on its peers:",
            "fchown pairs by tasks, and create, find, remove of empty files in 8 directories.",
            "Mounts and kernel peers need root; what can't be measured here is named and left out.",
        })
public final class Main implements Callable<Integer> {
    private static final int USAGE = 2;

    @Mixin
    private Settings settings;

    @Option(names = "--live", description = "Switches the strategy in mid-run and draws throughput over time.")
    private boolean live;

    @Option(names = "--profile", description = "Lists every place where 8 tasks wait for each other.")
    private boolean profile;

    @Option(names = "--jmh", description = "JMH: the orphan pair alone and setattr alone, with 1 and 2 threads.")
    private boolean jmh;

    /** Exits with 0, 1 if something failed, 2 if the command line was not understood. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** The same, without exiting. */
    public static int run(String... args) {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((e, ignored) -> {
                    System.err.println("ext4: bench: " + e.getMessage() + "; see ext4 bench --help");
                    return USAGE;
                })
                .setExecutionExceptionHandler((e, command, ignored) -> failed(e))
                .execute(args);
    }

    private static int failed(Exception e) throws Exception {
        if (e instanceof FailedCall || e instanceof IOException) {
            System.err.println("ext4: bench: " + e.getMessage());
            return 1;
        }
        throw e;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        if (jmh) {
            System.out.print(settings.quick() ? JmhRun.run(null, 100, 1) : JmhRun.run(null, 500, 5));
            return 0;
        }
        try (Cleanup cleanup = new Cleanup()) {
            try {
                return run(cleanup) ? 0 : 1;
            } catch (IOException | FailedCall e) {
                cleanup.stopIfEnding();
                throw e;
            }
        }
    }

    private boolean run(Cleanup cleanup) throws IOException, InterruptedException {
        Ground ground = new Ground(cleanup, settings.medium(), settings.commitSeconds(), settings.imageBytes());
        if (live) {
            return new LiveRun(settings, ground, System.out).run();
        }
        if (profile) {
            new ProfileRun(settings, ground, System.out).run();
        } else {
            new ReportRun(settings, ground, cleanup, System.out).run();
        }
        return true;
    }
}
