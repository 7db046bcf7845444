// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import ext4.api.block.BlockDevice;
import ext4.bench.Stack;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** What subjects stand on: a folder for images and mount points, all on one medium, and the load's process. */
public final class Ground {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final Cleanup cleanup;
    private final int commitSeconds;
    private final long imageBytes;
    private final AtomicInteger next = new AtomicInteger();
    private Worker load;

    /**
     * @param medium where images lie, null for /dev/shm where there is one
     * @param commitSeconds what every filesystem that knows {@code commit=} is mounted with
     * @param imageBytes size of each image, which is sparse
     */
    public Ground(Cleanup cleanup, Path medium, int commitSeconds, long imageBytes) throws IOException {
        this.cleanup = cleanup;
        this.commitSeconds = commitSeconds;
        this.imageBytes = imageBytes;
        Path parent = medium != null ? medium : MEMORY;
        folder = Files.isDirectory(parent)
                ? Files.createTempDirectory(parent.toRealPath(), "ext4-bench.")
                : Files.createTempDirectory("ext4-bench.").toRealPath();
        cleanup.add(() -> delete(folder));
    }

    /** Where images and mount points lie. */
    public Path folder() {
        return folder;
    }

    Cleanup cleanup() {
        return cleanup;
    }

    int commitSeconds() {
        return commitSeconds;
    }

    /** The process that works on mount points, one for all of them. */
    synchronized Worker load() throws IOException {
        if (load == null) {
            load = Worker.start(this, "load", List.of("mounted"));
        }
        return load;
    }

    /** Undoes what was begun after {@code mark}, the load's process too. */
    public synchronized void backTo(int mark) {
        load = null;
        cleanup.backTo(mark);
    }

    /** A name for files of a subject. */
    String name(String kind) {
        return kind + "-" + next.incrementAndGet();
    }

    /** A new directory to mount on, which is unmounted at the end. */
    Path mountpoint(String name) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(name + ".mnt"));
        cleanup.add(() -> Commands.unmount(directory));
        return directory;
    }

    /** A new image without a filesystem. */
    Path emptyImage(String name) throws IOException {
        Path image = folder.resolve(name + ".img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(imageBytes);
        }
        return image;
    }

    /** A new ext4 filesystem with the defaults of mke2fs, with or without a journal. */
    public Path image(String name, boolean journal) throws IOException {
        Path image = emptyImage(name);
        try (BlockDevice device = Stack.open(image)) {
            MkfsOptions options =
                    new MkfsOptions().features(journal ? "" : "^has_journal").zeroed(true);
            Mkfs.run(device, options.lazyTables(false), new PrintWriter(Writer.nullWriter()));
        }
        return image;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("bench: " + folder + " is left behind: " + e.getMessage());
        }
    }
}
