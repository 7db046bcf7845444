// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import ext4.lab.soak.Commands;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The process of {@code ext4 mount -f}, started by the command's own script. */
final class Served {
    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final long START_SECONDS = 120;

    private final Site site;
    private final Process process;

    private Served(Site site, Process process) {
        this.site = site;
        this.process = process;
    }

    /**
     * Returns when it is mounted.
     *
     * @param javaOptions for the serving process, instead of the command's own; null for those
     * @throws IOException with its log if it does not mount
     */
    static Served start(Site site, String options, String javaOptions) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Commands.home().resolve("bin/ext4").toString(),
                        "mount",
                        "-f",
                        "-o",
                        options,
                        site.image().toString(),
                        site.mountpoint().toString()))
                .redirectErrorStream(true)
                .redirectOutput(site.log().toFile())
                .redirectInput(new File("/dev/null"));
        if (javaOptions != null) {
            builder.environment().put("EXT4_JAVA_OPTS", javaOptions);
        }
        Process process = builder.start();
        site.servedBy(process);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Commands.isMounted(site.mountpoint())) {
            if (process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new IOException("did not mount: " + site.logged());
            }
        }
        return new Served(site, process);
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Whether it ended by then. */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    int status() {
        return process.exitValue();
    }

    void kill() {
        process.destroyForcibly();
    }

    void terminate() {
        process.destroy();
    }

    /** Descriptors that it has open. */
    long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return all.count();
        }
    }

    /** Sets a limit, soft only; {@code unlimited} is one too. */
    void limit(String resource, String value) throws IOException, InterruptedException {
        Commands.must(
                Commands.find("prlimit"), "--pid", Long.toString(process.pid()), "--" + resource + "=" + value + ":");
    }

    /** {@code ext4 status}, {@code ext4 umount}: how it ended, within that time. */
    Commands.Result command(String verb) throws IOException, InterruptedException {
        return Commands.run(Commands.ext4(
                List.of("-XX:TieredStopAtLevel=1"), verb, site.mountpoint().toString()));
    }
}
