// SPDX-License-Identifier: Apache-2.0
package ext4.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Readme;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A Karaf of its own, which an operator sets up and drives by the commands in README.md. */
final class Karaf implements AutoCloseable {
    static final String HEADING = "### Apache Karaf";

    private static final long PATIENCE_MILLIS = 180_000;
    private static final long LOOK_MILLIS = 200;

    private final Path project = Path.of(System.getProperty("ext4.project"));
    private final Path folder;
    private final Path home;
    private final Path image;
    private final Path mountpoint;

    /** @param folder holds Karaf's archive */
    Karaf(Path folder, Path image, Path mountpoint) {
        this.folder = folder;
        this.image = image;
        this.mountpoint = mountpoint;
        home = folder.resolve("apache-karaf-" + System.getProperty("ext4.karaf.version"));
    }

    /** Unpacks and configures it. */
    void setUp() throws IOException, InterruptedException {
        run(folder, blocks().get(0));
    }

    /** One of the commands below the set-up, by its number. */
    String operate(int number) throws IOException, InterruptedException {
        return run(home, blocks().get(1).split("\n\n")[number]);
    }

    /** Starts it and returns when the mount point has a mount. */
    void startUntilMounted() throws IOException, InterruptedException {
        operate(1);
        await("a mount on " + mountpoint, this::mounted);
    }

    /** Stops it and returns when its process has ended. */
    void stop() throws IOException, InterruptedException {
        ProcessHandle process = process();
        operate(4);
        await("the end of Karaf", () -> !process.isAlive());
    }

    boolean mounted() {
        return Tool.run("findmnt", "-rn", "-t", "fuse.ext4j", mountpoint).exit() == 0;
    }

    Path configuration() {
        return home.resolve("etc/ext4.mount-data.cfg");
    }

    /** What it has logged from one start to the next. */
    String log() throws IOException {
        Path log = home.resolve("data/log/karaf.log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    Path home() {
        return home;
    }

    /** Waits until it is so; fails with the end of the log if that takes too long. */
    void await(String what, BooleanSupplier so) throws IOException, InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!so.getAsBoolean()) {
            assertThat(System.currentTimeMillis())
                    .as("waiting for %s; the log:%n%s", what, log())
                    .isLessThan(deadline);
            new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private List<String> blocks() throws IOException {
        return Readme.section(project.resolve("README.md"), HEADING).blocks();
    }

    /** The process that bin/start left in the background. */
    private ProcessHandle process() throws IOException {
        long pid = Long.parseLong(Files.readString(home.resolve("karaf.pid")).strip());
        return ProcessHandle.of(pid).orElseThrow();
    }

    private String run(Path where, String commands) throws IOException, InterruptedException {
        Path output = Files.createTempFile("karaf", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder("sh", "-euc", commands);
            builder.directory(where.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_") || name.equals("JAVA_OPTS"));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("PROJECT", project.toString());
            builder.environment().put("IMAGE", image.toString());
            builder.environment().put("MOUNTPOINT", mountpoint.toString());
            int exit = builder.start().waitFor();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(exit).as("%s%nsaid:%n%s", commands, said).isZero();
            return said;
        } finally {
            Files.delete(output);
        }
    }

    /** Leaves no process and no mount, whatever went wrong. */
    @Override
    public void close() throws IOException, InterruptedException {
        if (Files.exists(home.resolve("karaf.pid"))) {
            long pid =
                    Long.parseLong(Files.readString(home.resolve("karaf.pid")).strip());
            ProcessHandle.of(pid).ifPresent(process -> {
                process.destroyForcibly();
                process.onExit().join();
            });
        }
        if (mounted()) {
            Tool.run("umount", "-l", mountpoint).ok();
        }
    }
}
