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
        List<String> line = java();
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
        List<String> line = java();
        line.add("-Dext4.log=warn");
        line.add("-Dext4.home=" + home);
        line.addAll(List.of("-jar", Path.of(home, "boot", "ext4.launcher.jar").toString()));
        line.addAll(arguments);
        return line;
    }

    /** As a mount is served: with EXT4_JAVA_OPTS if that is set. */
    private static List<String> java() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:-UsePerfData"));
        String own = System.getenv("EXT4_JAVA_OPTS");
        line.addAll(
                own == null || own.isBlank()
                        ? List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders")
                        : List.of(own.strip().split("\\s+")));
        return line;
    }
}
