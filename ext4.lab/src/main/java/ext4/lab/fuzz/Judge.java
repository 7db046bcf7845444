// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** e2fsck on damaged images. Keeps a file for each sound image and changes only what is damaged. For one thread. */
final class Judge implements AutoCloseable {
    private static final int SECONDS = 30;

    private final Path folder;
    private final Map<String, Path> files = new HashMap<>();

    /** Files go into {@code folder}. */
    Judge(Path folder) {
        this.folder = folder;
    }

    /** What {@code e2fsck -fn} says. */
    Tool.Result check(Base base, Canvas canvas) {
        Path file = files.computeIfAbsent(base.name(), name -> write(base));
        put(file, canvas, canvas);
        try {
            return Tool.run("timeout", SECONDS, "e2fsck", "-fn", file);
        } finally {
            put(file, canvas, new Canvas(base));
        }
    }

    private Path write(Base base) {
        try {
            Path file = Files.createTempFile(folder, base.name(), ".img");
            return Files.write(file, base.image());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void put(Path path, Canvas damaged, Canvas content) {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            for (long pblk : damaged.changed()) {
                file.seek(pblk * content.blockSize());
                file.write(content.copy(pblk));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Path file : files.values()) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
