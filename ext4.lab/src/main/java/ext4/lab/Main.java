// SPDX-License-Identifier: Apache-2.0
package ext4.lab;

import ext4.lab.crash.CrashCommand;
import ext4.lab.diff.DiffCommand;
import ext4.lab.fault.FaultCommand;
import ext4.lab.fuzz.FuzzCommand;
import ext4.lab.fuzz.ImagesCommand;
import ext4.lab.kill.KillCommand;
import ext4.lab.linear.LinearCommand;
import ext4.lab.locks.LocksCommand;
import ext4.lab.soak.SoakCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ext4 lab}. */
@Command(
        name = "ext4 lab",
        mixinStandardHelpOptions = true,
        description = "The project's test tools.",
        subcommands = {
            SoakCommand.class,
            CrashCommand.class,
            DiffCommand.class,
            FaultCommand.class,
            FuzzCommand.class,
            ImagesCommand.class,
            KillCommand.class,
            LinearCommand.class,
            LocksCommand.class
        })
public final class Main {
    private static final int USAGE = 2;

    private Main() {}

    /** Exits with 0, 1 if something is not as it must be, 2 if the command line was not understood. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** The same, without exiting. */
    public static int run(String... args) {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((e, ignored) -> {
                    System.err.println("ext4: lab: " + e.getMessage() + "; see ext4 lab --help");
                    return USAGE;
                })
                .setExecutionExceptionHandler((e, command, ignored) -> failed(e))
                .execute(args);
    }

    private static int failed(Exception e) throws Exception {
        if (e instanceof IOException) {
            System.err.println("ext4: lab: " + e.getMessage());
            return 1;
        }
        throw e;
    }
}
