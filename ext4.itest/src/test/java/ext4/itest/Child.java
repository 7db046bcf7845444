// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A shell script in a process of its own, on a mount: a JVM must not lean on a mount that it serves itself. The first
 * command that fails ends the script.
 */
final class Child implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader lines;
    private final Path errors;

    /** Starts it with the mount point as {@code $M} and {@code number} as {@code $N}. */
    Child(Path mountpoint, int number, String script) throws IOException {
        errors = Files.createTempFile("child", ".txt");
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", script);
        builder.environment().put("M", mountpoint.toString());
        builder.environment().put("N", Integer.toString(number));
        builder.environment().put("LC_ALL", "C");
        builder.directory(Path.of("/").toFile());
        builder.redirectError(errors.toFile());
        process = builder.start();
        lines = process.inputReader();
    }

    /** Waits for the next line that it says; fails if it has ended instead. */
    String line() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new AssertionError("ended: " + Files.readString(errors));
        }
        return line;
    }

    /** Lets it read a line. */
    void go() throws IOException {
        process.outputWriter().write("go\n");
        process.outputWriter().flush();
    }

    /** Lets it come to its end. */
    void endInput() throws IOException {
        process.outputWriter().close();
    }

    /** Ends its input, waits until it has ended, and fails if a command of it did or said anything on standard error. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            endInput();
            lines.transferTo(Writer.nullWriter());
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
            assertThat(Files.readString(errors)).isEmpty();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }
}
