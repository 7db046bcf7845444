// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder with an image and a mount point. */
final class Ground {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Cleanup cleanup;
    private final Path folder;
    private final String medium;

    Ground(Cleanup cleanup, Path wanted, boolean keep) throws IOException {
        this.cleanup = cleanup;
        Path parent = wanted != null ? wanted : MEMORY;
        folder = Files.isDirectory(parent)
                ? Files.createTempDirectory(parent.toRealPath(), "ext4-lab.")
                : Files.createTempDirectory("ext4-lab.").toRealPath();
        medium = Files.getFileStore(folder).type();
        if (keep) {
            System.err.println("lab: " + folder + " is kept");
        } else {
            cleanup.add(() -> delete(folder));
        }
    }

    /** The kind of filesystem that the image lies on. */
    String medium() {
        return medium;
    }

    Path image() {
        return folder.resolve("soak.img");
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    Path newFolder(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    /** A new directory to mount on, which is unmounted at the end. */
    Path mountpoint(String name) throws IOException {
        Path directory = newFolder(name);
        cleanup.add(() -> Commands.unmount(directory));
        return directory;
    }

    /** Makes the filesystem. */
    void mkfs(String size) throws IOException, InterruptedException {
        List<String> line =
                Commands.ext4(List.of("-XX:TieredStopAtLevel=1"), "mkfs", image().toString(), "--size", size);
        Commands.must(line.toArray(String[]::new));
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("lab: " + folder + " is left behind: " + e.getMessage());
        }
    }
}
