// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.keep.Keeper;
import ext4.keeper.ProcessKeeper;
import ext4.keeper.process.Main;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Mounts that outlive the process that serves them: see {@link ext4.api.keep}. */
final class Kept {
    private Kept() {}

    /** Whether mount options ask for a keeper process; of several words the last counts. */
    static boolean byProcess(String options) {
        return Arrays.stream(options.split(","))
                .filter(word -> word.equals("keep") || word.startsWith("keep="))
                .reduce((first, last) -> last)
                .filter(word -> word.equals("keep") || word.equals("keep=" + Keeper.PROCESS))
                .isPresent();
    }

    /** Command line of a keeper process that starts a server by {@code server}. */
    static List<String> behindKeeper(List<String> server) throws Failure {
        Path lib = Home.directory().resolve("lib");
        List<String> line = new ArrayList<>(List.of(server.getFirst()));
        line.addAll(Main.OPTIONS);
        line.add("--enable-native-access=ALL-UNNAMED");
        line.add("-cp");
        line.add(Stream.of("4/ext4.api.jar", "4/ext4.sys.jar", "5/ext4.keeper.jar")
                .map(jar -> lib.resolve(jar).toString())
                .collect(Collectors.joining(File.pathSeparator)));
        line.add(Main.class.getName());
        line.addAll(server);
        return line;
    }

    /**
     * Whether this process may be there to go on with a mount that nobody serves just now: a look at its mount point would
     * wait for this very process.
     */
    static boolean mayTakeOver() {
        return System.getenv(ProcessKeeper.DESCRIPTOR) != null || System.getenv("LISTEN_FDS") != null;
    }
}
