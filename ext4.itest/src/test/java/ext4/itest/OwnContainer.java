// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Readme;
import ext4.testkit.oracle.Tool;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A framework that an operator starts himself, in a process of its own, set up by the commands in README.md. */
final class OwnContainer implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 100;

    private final Path folder;
    private final String[] commands;
    private final Path mountpoint;
    private Process process;

    private OwnContainer(Path folder, String heading, Path mountpoint) throws IOException {
        this.folder = folder;
        this.mountpoint = mountpoint;
        Path readme = Path.of(System.getProperty("ext4.itest.readme"));
        commands = Readme.section(readme, heading).blocks().getFirst().split("\n\n");
        Files.createDirectory(folder.resolve("etc"));
    }

    /** The one this run is for, as it comes: a launcher and an empty configuration. */
    static OwnContainer of(String framework, Path folder, Path mountpoint) throws IOException {
        Path launchers = Path.of(System.getProperty("ext4.itest.frameworks"));
        if (framework.equals("felix")) {
            Files.createDirectory(folder.resolve("bin"));
            Files.copy(launchers.resolve("org.apache.felix.main.jar"), folder.resolve("bin/felix.jar"));
            Files.createFile(Files.createDirectory(folder.resolve("conf")).resolve("config.properties"));
            return new OwnContainer(folder, "### Felix", mountpoint);
        }
        Files.copy(launchers.resolve("org.eclipse.osgi.jar"), folder.resolve("org.eclipse.osgi.jar"));
        Files.createFile(Files.createDirectory(folder.resolve("configuration")).resolve("config.ini"));
        return new OwnContainer(folder, "### Equinox", mountpoint);
    }

    void setUp() throws IOException, InterruptedException {
        assertThat(run(commands[0]).waitFor()).as(output()).isZero();
    }

    /** Starts it by README's command, with {@code option} in the place of the one that it names. */
    void start(String nativeAccess, String option) throws IOException {
        assertThat(commands[1]).contains(nativeAccess);
        process = run("exec " + commands[1].replace(nativeAccess, option));
    }

    /** Tells its process to end and waits for that. */
    void end() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                .as(output())
                .isTrue();
    }

    void configure(Path image, String strategy) throws IOException {
        Path draft = folder.resolve("draft");
        Files.writeString(
                draft, "image = %s\nmountpoint = %s\norphan.strategy = %s\n".formatted(image, mountpoint, strategy));
        Files.move(draft, folder.resolve("etc/ext4.mount-data.cfg"));
    }

    /** Changes the strategy's name where it stands, as an editor does. */
    void edit(String from, String to) throws IOException {
        Path file = folder.resolve("etc/ext4.mount-data.cfg");
        Files.writeString(file, Files.readString(file).replace(from, to));
    }

    /** Waits until it has said so; fails if it has ended instead. */
    void awaitOutput(String text) throws InterruptedException {
        await("'" + text + "'", output -> output.contains(text));
    }

    void awaitMount() throws InterruptedException {
        await("a mount", output -> mounted());
    }

    private void await(String what, Predicate<String> so) throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!so.test(output())) {
            assertThat(System.currentTimeMillis())
                    .as("waiting for %s; it said:%n%s", what, output())
                    .isLessThan(deadline);
            assertThat(process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS))
                    .as("it ended before %s; it said:%n%s", what, output())
                    .isFalse();
        }
    }

    boolean mounted() {
        return Tool.run("findmnt", "-rn", "-t", "fuse.ext4j", mountpoint).exit() == 0;
    }

    String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The logs that Equinox writes when something goes wrong; Felix tells that on its output. */
    List<Path> frameworkErrors() throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    private Process run(String shell) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", shell);
        builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(folder.resolve("output").toFile());
        String java = Path.of(System.getProperty("java.home"), "bin").toString();
        builder.environment().merge("PATH", java, (path, first) -> first + File.pathSeparator + path);
        builder.environment().put("EXT4", System.getProperty("ext4.itest.home"));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        return builder.start();
    }

    /** Leaves no process and no mount, whatever went wrong. */
    @Override
    public void close() throws InterruptedException {
        if (process != null && process.isAlive()) {
            process.destroyForcibly().waitFor();
        }
        if (mounted()) {
            Tool.run("umount", "-l", mountpoint).ok();
        }
    }
}
