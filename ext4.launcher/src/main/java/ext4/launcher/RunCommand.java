// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.launcher.container.RunContainer;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ext4 run}: a container whose mounts are files of a folder. */
@Command(
        name = "run",
        description = "Runs a container in the foreground: each ext4.mount-NAME.cfg in its folder is a mount.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "With a terminal it reads commands: ext4:mounts, ext4:mount, ext4:umount, ext4:replace, help ...",
            "Without one it serves until SIGTERM. Either way all is unmounted and clean when it has ended.",
        })
final class RunCommand implements Callable<Integer> {
    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Folder that is watched for configurations; default: conf in the home folder.")
    private Path conf;

    @Option(
            names = "--deploy",
            paramLabel = "DIR",
            description = "Folder that is watched for bundles; default: deploy in the home folder.")
    private Path deploy;

    @Option(
            names = "--storage",
            paramLabel = "DIR",
            description = "Folder in which the container keeps its state; default: none is kept.")
    private Path storage;

    @Option(
            names = "--shell",
            negatable = true,
            description = "Read commands from standard input, or don't; default: if it is a terminal.")
    private Boolean shell;

    @Override
    public Integer call() throws Failure, IOException, InterruptedException {
        Path home = Home.directory();
        Path configurations = watched(conf, home.resolve("conf"));
        Path bundles = watched(deploy, home.resolve("deploy"));
        if (storage != null) {
            Files.createDirectories(storage);
            storage = storage.toRealPath();
        }
        return new RunContainer(home, configurations, bundles, storage, shell == null ? isTerminal() : shell).serve();
    }

    /** A folder of our own is made; one that the operator names is there. */
    private static Path watched(Path named, Path own) throws Failure, IOException {
        Path folder = named;
        if (folder == null) {
            folder = Files.createDirectories(own);
        }
        if (!Files.isDirectory(folder)) {
            throw new Failure(folder + ": No such directory");
        }
        if (folder.toRealPath().toString().contains(",")) {
            throw new Failure(folder + ": a comma in its name is not supported");
        }
        return folder.toRealPath();
    }

    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
