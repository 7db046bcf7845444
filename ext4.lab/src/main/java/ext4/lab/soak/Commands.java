// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of the system and of this project. */
public final class Commands {
    private static final long PATIENCE_SECONDS = 60;
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin");
    private static final String HOME = "ext4.home";

    private Commands() {}

    /** What a program did. */
    public record Result(int status, String output) {}

    /** The path of an installed program. */
    public static String find(String name) throws IOException {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException(name + " is not installed"))
                .toString();
    }

    /** Runs a program to its end. */
    public static Result run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Result(process.waitFor(), output);
    }

    /** The same; throws with what it printed if it fails. */
    public static String must(String... command) throws IOException, InterruptedException {
        Result result = run(List.of(command));
        if (result.status() != 0) {
            throw new IOException(Path.of(command[0]).getFileName() + " failed with status " + result.status() + ": "
                    + result.output());
        }
        return result.output();
    }

    /** The folder that the command runs from. */
    public static Path home() throws IOException {
        String home = System.getProperty(HOME);
        if (home == null || !Files.exists(Path.of(home, "boot", "ext4.launcher.jar"))) {
            throw new IOException("the system property " + HOME + " does not name the folder of the ext4 command");
        }
        return Path.of(home).toAbsolutePath().normalize();
    }

    /** Start of a command line of this Java. */
    static List<String> java(String... options) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:-UsePerfData"));
        line.addAll(List.of(options));
        return line;
    }

    /** The command {@code ext4}. */
    public static List<String> ext4(List<String> options, String... arguments) throws IOException {
        List<String> line = java(options.toArray(String[]::new));
        line.add("-D" + HOME + "=" + home());
        line.addAll(List.of("-jar", home().resolve("boot/ext4.launcher.jar").toString()));
        line.addAll(List.of(arguments));
        return line;
    }

    /** Asks a process to end, and makes it. */
    public static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("lab: process " + process.pid() + " had to be killed");
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    public static boolean isMounted(Path directory) throws IOException {
        String wanted = " " + directory + " ";
        return Files.readString(Path.of("/proc/self/mounts")).lines().anyMatch(line -> line.contains(wanted));
    }

    /** Takes a mount point away, whatever uses it. */
    public static void unmount(Path directory) {
        try {
            if (isMounted(directory)
                    && run(List.of(find("umount"), directory.toString())).status() != 0) {
                must(find("umount"), "-l", directory.toString());
            }
        } catch (IOException e) {
            System.err.println("lab: " + directory + " is left mounted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
