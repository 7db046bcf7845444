// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program and keeps what it said. */
public final class Tool {
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/bin");

    private Tool() {}

    /** What a program said: its exit code, and standard output and error as one text. */
    public record Result(List<String> command, int exit, String output) {
        /** This result if the exit code is 0. */
        public Result ok() {
            if (exit != 0) {
                throw new AssertionError(String.join(" ", command) + " exited with " + exit + ":\n" + output);
            }
            return this;
        }
    }

    /** Whether {@code name} is installed in one of the usual folders. */
    public static boolean installed(String name) {
        return FOLDERS.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Runs a program of the usual folders to its end. */
    public static Result run(String name, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse(name));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(command, process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + name, e);
        }
    }
}
