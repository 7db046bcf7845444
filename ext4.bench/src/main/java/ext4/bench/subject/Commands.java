// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the system. */
final class Commands {
    private static final long LOOK_AGAIN_MILLIS = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin");

    private Commands() {}

    /** The path of an installed command. */
    static String find(String name) throws Unavailable {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new Unavailable(name + " is not installed"))
                .toString();
    }

    /**
     * Runs a command to its end.
     *
     * @return what it printed
     * @throws Unavailable with that, if it failed
     */
    static String run(String... command) throws Unavailable, IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0) {
            throw new Unavailable(Path.of(command[0]).getFileName() + " failed with status " + status + ": " + output);
        }
        return output;
    }

    /** Starts a command that goes on, with its output in a file. */
    static Process start(Cleanup cleanup, Path log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        cleanup.add(() -> end(process));
        return process;
    }

    /** Asks a process to end, and makes it. */
    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("bench: " + process.info().command().orElse("a process") + " had to be killed");
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the server of a mount point has mounted it. */
    static void awaitMounted(Process server, Path directory, Path log)
            throws Unavailable, IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isMounted(directory)) {
            if (server.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new Unavailable(
                        "it did not mount: " + Files.readString(log).strip());
            }
            if (System.nanoTime() > deadline) {
                throw new Unavailable("it did not mount within " + PATIENCE_SECONDS + " s");
            }
        }
    }

    static boolean isMounted(Path directory) throws IOException {
        String wanted = " " + directory + " ";
        return Files.readString(Path.of("/proc/self/mounts")).lines().anyMatch(line -> line.contains(wanted));
    }

    /** Takes a mount point away, whatever its server does. */
    static void unmount(Path directory) {
        try {
            if (isMounted(directory)) {
                run("umount", directory.toString());
            }
        } catch (Unavailable busy) {
            detach(directory, busy);
        } catch (IOException e) {
            System.err.println("bench: " + directory + " is left mounted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void detach(Path directory, Unavailable busy) {
        try {
            run("umount", "-l", directory.toString());
        } catch (Unavailable | IOException e) {
            System.err.println("bench: " + directory + " is left mounted: " + busy.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
