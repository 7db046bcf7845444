// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A mount with a keeper process, by the command. */
final class KeptMount implements AutoCloseable {
    private static final long LIMIT_SECONDS = 90;

    final Path directory;
    private final ControlClient control;
    private boolean unmounted;

    KeptMount(Path image, Path directory, String options) throws IOException {
        this.directory = directory.toRealPath();
        control = new ControlClient(SocketPath.socket(SocketPath.runDirectory(), this.directory.toString()));
        Ext4.run("mount", "-o", "keep," + options, image.toString(), directory.toString())
                .ok();
    }

    /** The process that serves it now, other than {@code before}. */
    long server(long before) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            try {
                long now = Long.parseLong(control.ask("wait").getFirst());
                if (now != before) {
                    return now;
                }
            } catch (IOException | MountException e) {
                // its socket comes when it serves
            }
            pause();
        }
        throw new AssertionError("no other process serves it after " + LIMIT_SECONDS + " s:\n" + log());
    }

    private static void pause() throws InterruptedException, ExecutionException {
        try {
            new CompletableFuture<Void>().get(20, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // that is all
        }
    }

    String status(String name) throws Exception {
        return control.ask("status").stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    /** kill -9 of the process that serves it; returns its number. */
    long kill() throws Exception {
        long pid = server(0);
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        return pid;
    }

    String log() throws IOException {
        return Files.readString(SocketPath.log(SocketPath.runDirectory(), directory.toString()));
    }

    /** The keeper process: the one whose arguments say so and name the mount point. */
    ProcessHandle keeper() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .map(Arrays::asList)
                        .filter(words -> words.contains("ext4.keeper.process.Main")
                                && words.getLast().equals(directory.toString()))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no keeper process"));
    }

    /** Unmounts; nothing of it is left. */
    void unmount() throws Exception {
        ProcessHandle keeper = keeper();
        Ext4.run("umount", directory.toString()).ok();
        unmounted = true;
        keeper.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertTrue(!Ext4.isMounted(directory), "unmounted");
    }

    @Override
    public void close() {
        if (!unmounted) {
            Tool.run("umount", "-l", directory); // a test that failed
        }
    }
}
