// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import ext4.lab.soak.Cleanup;
import ext4.lab.soak.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder with an image, a mount point and the log of who serves it; gone when it is closed. */
final class Site implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final Path medium;
    private final Path mountpoint;
    private Process server;

    /** @param room bytes of a filesystem of its own for the image, 0 for none */
    Site(Cleanup cleanup, Path wanted, long room) throws IOException, InterruptedException {
        Path parent = wanted != null ? wanted : MEMORY;
        folder = Files.isDirectory(parent)
                ? Files.createTempDirectory(parent.toRealPath(), "ext4-lab.")
                : Files.createTempDirectory("ext4-lab.").toRealPath();
        cleanup.add(this::close);
        medium = Files.createDirectory(folder.resolve("medium"));
        mountpoint = Files.createDirectory(folder.resolve("mnt"));
        if (room > 0) {
            Commands.must(Commands.find("mount"), "-t", "tmpfs", "-o", "size=" + room, "ext4-lab", medium.toString());
        }
    }

    Path image() {
        return medium.resolve("kill.img");
    }

    Path mountpoint() {
        return mountpoint;
    }

    Path log() {
        return folder.resolve("server.log");
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** A file beside the image that takes room and can be removed. */
    Path ballast() {
        return medium.resolve("ballast");
    }

    /** Who serves the mount; ended when this is closed. */
    void servedBy(Process process) {
        server = process;
    }

    String logged() throws IOException {
        return Files.exists(log()) ? Files.readString(log()) : "";
    }

    @Override
    public synchronized void close() {
        if (!Files.exists(folder)) {
            return;
        }
        if (server != null && server.isAlive()) {
            server.destroyForcibly();
        }
        Commands.unmount(mountpoint);
        Commands.unmount(medium);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("lab: " + folder + " is left behind: " + e.getMessage());
        }
    }

    /** Makes the filesystem. */
    void mkfs(String size) throws IOException, InterruptedException {
        List<String> line =
                Commands.ext4(List.of("-XX:TieredStopAtLevel=1"), "mkfs", image().toString(), "--size", size);
        Commands.must(line.toArray(String[]::new));
    }
}
