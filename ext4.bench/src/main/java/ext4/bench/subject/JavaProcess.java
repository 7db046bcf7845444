// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of processes of this Java. */
final class JavaProcess {
    private JavaProcess() {}

    /** A class of this program, on its class path. */
    static List<String> ofClass(Class<?> main, List<String> arguments) {
        return ofClass(java(), main, arguments);
    }

    /** The same for a server: with the options with which a mount is served. */
    static List<String> server(Class<?> main, List<String> arguments) {
        return ofClass(serving(), main, arguments);
    }

    private static List<String> ofClass(List<String> line, Class<?> main, List<String> arguments) {
        line.add("--enable-native-access=ALL-UNNAMED");
        line.add("-Dlogback.configurationFile=ext4/bench/logback.xml");
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        line.addAll(arguments);
        return line;
    }

    /** The command {@code ext4} itself. */
    static List<String> command(List<String> arguments) throws Unavailable {
        String home = System.getProperty("ext4.home");
        if (home == null || !Path.of(home, "boot", "ext4.launcher.jar").toFile().exists()) {
            throw new Unavailable("the system property ext4.home does not name the folder of the ext4 command");
        }
        List<String> line = serving();
        line.add("-Dext4.log=warn");
        line.add("-Dext4.home=" + home);
        line.addAll(List.of("-jar", Path.of(home, "boot", "ext4.launcher.jar").toString()));
        line.addAll(arguments);
        return line;
    }

    private static List<String> serving() {
        List<String> line = java();
        if (ownOptions() == null) {
            line.add("-XX:FreqInlineSize=150"); // ext4.launcher.Home says why
        }
        return line;
    }

    /** The Java of this process: with EXT4_JAVA_OPTS if that is set. */
    private static List<String> java() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:-UsePerfData"));
        String own = ownOptions();
        line.addAll(
                own == null
                        ? List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders")
                        : List.of(own.strip().split("\\s+")));
        return line;
    }

    private static String ownOptions() {
        String own = System.getenv("EXT4_JAVA_OPTS");
        return own == null || own.isBlank() ? null : own;
    }
}
