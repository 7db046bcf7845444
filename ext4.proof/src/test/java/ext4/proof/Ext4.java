// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The {@code ext4} command as a process, as an operator runs it. */
final class Ext4 {
    private static final Path COMMAND = command();

    private Ext4() {}

    /** The command of this clone. */
    static Path command() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isExecutable(at.resolve("ext4")) && Files.exists(at.resolve("mvnw"))) {
                return at.resolve("ext4");
            }
        }
        throw new IllegalStateException(
                "the ext4 command is not above " + Path.of("").toAbsolutePath());
    }

    /** A mount needs the right to mount, and the command built: the launcher comes before this module in the reactor. */
    static void needMounts() {
        Oracles.needFuse();
        Oracles.needE2fsprogs();
        Path home = COMMAND.resolveSibling("ext4.launcher/target/home");
        if (!Files.isDirectory(home)) {
            throw new AssertionError(home + " is missing: run the whole reactor up to package first");
        }
    }

    /** The transport of that name, where it is to be had. */
    static void needTransport(String name) {
        if (name.equals("fuse-uring")) {
            Oracles.needUring();
        }
    }

    static Tool.Result run(String... arguments) {
        return Tool.run(COMMAND.toString(), (Object[]) arguments);
    }

    /** A process that goes on, with its output in a file. */
    static Process start(File output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        // who runs the tests in the background of a script has SIGINT ignored, and a JVM keeps to that
        command.addAll(List.of("env", "--default-signal=INT", COMMAND.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .redirectInput(new File("/dev/null"))
                .start();
    }

    /** Serves in a process of its own that can be killed; returns when the mount point works. */
    static Process serve(Path image, Path directory, String options) throws IOException, InterruptedException {
        File output = Files.createTempFile("ext4-serve", ".log").toFile();
        Process server = start(output, "mount", "-f", "-o", options, image.toString(), directory.toString());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!isMounted(directory)) {
            if (server.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                server.destroyForcibly();
                throw new AssertionError("did not mount:\n" + Files.readString(output.toPath()));
            }
        }
        return server;
    }

    static boolean isMounted(Path directory) throws IOException {
        String mounts = Files.readString(Path.of("/proc/self/mounts"), StandardCharsets.UTF_8);
        return mounts.contains(" " + directory + " fuse.ext4j ");
    }
}
