// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder that the command runs from: boot, lib, cnf. The script names it in a system property. */
public final class Home {
    private static final String PROPERTY = "ext4.home";

    /**
     * Compiled code of a request is one large tree however it is cut; with smaller ones the compiler is done after half the
     * processor time, which under load is minutes after the start, and the code is as fast.
     */
    private static final String SMALL_INLINING = "-XX:FreqInlineSize=150";

    /**
     * Where memory runs out any thread may be the one that dies of it: a reader, the commit thread. Callers would wait for it
     * for ever. A process that ends instead is what kill -9 leaves: what was synced is there, the mount point can be unmounted,
     * and a keeper starts the next one. The JVM prints why.
     */
    private static final String END_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

    private Home() {}

    /** The folder. */
    public static Path directory() throws Failure {
        String home = System.getProperty(PROPERTY);
        if (home == null || !Files.isDirectory(Path.of(home, "lib"))) {
            throw new Failure("the system property " + PROPERTY + " does not name the folder with lib and cnf");
        }
        return Path.of(home).toAbsolutePath();
    }

    /** The start of a command line of this very Java, without a garbage collector or heap chosen. */
    public static List<String> java() {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:-UsePerfData"));
    }

    /** Options for the process that serves a mount: those of EXT4_JAVA_OPTS, else ours, after those that always hold. */
    public static List<String> serverOptions() {
        List<String> options = new ArrayList<>(List.of(END_WITHOUT_MEMORY));
        String own = System.getenv("EXT4_JAVA_OPTS");
        options.addAll(
                own == null || own.isBlank()
                        ? List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders", SMALL_INLINING)
                        : List.of(own.strip().split("\\s+")));
        return options;
    }

    /** Command line of this program in a process that serves a mount. */
    public static List<String> server(List<String> arguments) throws Failure {
        Path home = directory();
        List<String> line = java();
        line.addAll(serverOptions());
        line.add("-D" + PROPERTY + "=" + home);
        line.add("-jar");
        line.add(home.resolve("boot/ext4.launcher.jar").toString());
        line.addAll(arguments);
        return line;
    }
}
