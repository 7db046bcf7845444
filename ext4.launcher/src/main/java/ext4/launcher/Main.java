// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.fs.Ext4Exception;
import ext4.api.mount.MountException;
import ext4.launcher.demo.DemoCommand;
import ext4.launcher.offline.CatCommand;
import ext4.launcher.offline.CheckCommand;
import ext4.launcher.offline.CopyCommand;
import ext4.launcher.offline.InfoCommand;
import ext4.launcher.offline.ListCommand;
import ext4.launcher.offline.MkfsCommand;
import ext4.launcher.offline.RawArguments;
import ext4.launcher.offline.TreeCommand;
import java.nio.file.FileSystemException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. */
@Command(
        name = "ext4",
        description = "An ext4 filesystem for the JVM.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Besides, ./ext4 bench measures it beside its peers: see ./ext4 bench --help."},
        subcommands = {
            MountCommand.class,
            RunCommand.class,
            MountHelper.class,
            UmountCommand.class,
            UmountHelper.class,
            StrategyCommand.class,
            ReplaceCommand.class,
            RestartCommand.class,
            StatusCommand.class,
            MkfsCommand.class,
            InfoCommand.class,
            CheckCommand.class,
            ListCommand.class,
            CatCommand.class,
            CopyCommand.class,
            TreeCommand.class,
            DemoCommand.class,
            BundlesCommand.class,
            CommandLine.HelpCommand.class,
        })
public final class Main implements Callable<Integer> {
    private static final int USAGE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Runs a command and exits with its status: 0, 1 if it failed, 2 if it was not understood. */
    public static void main(String[] args) {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // offline commands have no logger and need none
        System.exit(run(RawArguments.of(args)));
    }

    /** The same, without exiting. */
    static int run(String... args) {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((e, ignored) -> usage(e))
                .setExecutionExceptionHandler((e, command, ignored) -> failed(e, command))
                .execute(args);
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(System.err);
        return USAGE;
    }

    private static int usage(CommandLine.ParameterException e) {
        String text = e.getMessage().lines().findFirst().orElse("");
        System.err.println(prefix(e.getCommandLine()) + Character.toLowerCase(text.charAt(0)) + text.substring(1)
                + "; see ext4 help" + after(e.getCommandLine()));
        return e.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String after(CommandLine command) {
        boolean hidden = command.getCommandSpec().usageMessage().hidden();
        return command.getParent() == null || hidden ? "" : " " + command.getCommandName();
    }

    private static int failed(Exception e, CommandLine command) throws Exception {
        String line = switch (e) {
            case Failure failure -> failure.getMessage();
            case MountException refused -> refused.getMessage();
            case Ext4Exception trouble -> trouble.getMessage();
            case FileSystemException file -> Messages.of(file);
            default -> throw e;
        };
        System.err.println(prefix(command) + line);
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static String prefix(CommandLine command) {
        if (command.getCommandSpec().usageMessage().hidden()) {
            return command.getCommandName() + ": "; // mount(8) started it, not someone who knows the command
        }
        return command.getParent() == null ? "ext4: " : "ext4: " + command.getCommandName() + ": ";
    }

    /** Version of the command and of its Java. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {
                "ext4 " + (version == null ? "(not packaged)" : version),
                "Java " + Runtime.version() + ", " + System.getProperty("java.vm.vendor")
            };
        }
    }
}
