// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs programs on a mount in a process of their own: a JVM must not lean on a mount that it serves itself. */
final class Shell {
    private static final int PATIENCE_SECONDS = 120;

    private Shell() {}

    /** Says why and skips unless this user can mount. */
    static void assumeFuse() {
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: mounting takes root");
        assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "skipped: there is no usable /dev/fuse");
    }

    /** Says why and skips unless {@code program} is installed. */
    static void assumeInstalled(String program) {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", program)) || Files.isExecutable(Path.of("/bin", program)),
                () -> "skipped: " + program + " is not installed");
    }

    /** Runs a script with {@code $M} as the mount point; it must succeed. */
    static String run(Path mountPoint, String script) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("errors", ".txt");
        try {
            Process process = start(mountPoint, script, errors);
            String out = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ends")
                    .isTrue();
            assertThat(process.exitValue())
                    .as("%s%n%s%s", script, out, Files.readString(errors))
                    .isZero();
            return out.strip();
        } finally {
            Files.delete(errors);
        }
    }

    static Process start(Path mountPoint, String script, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", script);
        builder.environment().put("M", mountPoint.toString());
        builder.environment().put("LC_ALL", "C");
        builder.directory(Path.of("/").toFile());
        builder.redirectError(errors.toFile());
        return builder.start();
    }
}
