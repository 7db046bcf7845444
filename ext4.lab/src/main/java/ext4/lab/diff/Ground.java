// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A folder with two images of equal content and mount points. All is gone when it is closed. */
final class Ground implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final List<Path> mountpoints = new ArrayList<>();
    private final Thread hook = new Thread(this::clear, "clean up");

    /** @param medium where the images lie, null for memory */
    Ground(Path medium) {
        try {
            Path parent = medium != null ? medium : MEMORY;
            folder = Files.isDirectory(parent)
                    ? Files.createTempDirectory(parent.toRealPath(), "ext4-lab.")
                    : Files.createTempDirectory("ext4-lab.").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Path first() {
        return folder.resolve("a.img");
    }

    Path second() {
        return folder.resolve("b.img");
    }

    /** Both images anew. */
    void make(String options, long bytes, String uuid) {
        Path model = folder.resolve("model.img");
        List<String> words = new ArrayList<>(List.of(options.strip().split("\\s+")));
        words.removeIf(String::isEmpty);
        words.addAll(List.of("-U", uuid, "-E", "hash_seed=" + uuid));
        E2fsprogs.mke2fs(model, bytes, words.toArray(String[]::new));
        for (Path image : List.of(first(), second())) {
            Tool.run("dd", "if=" + model, "of=" + image, "bs=1M", "conv=sparse", "status=none")
                    .ok();
        }
    }

    /** A new directory to mount on, which is unmounted at the end. */
    Path mountpoint(String name) {
        try {
            Path directory = Files.createDirectories(folder.resolve(name));
            mountpoints.add(directory);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What e2fsck says of both images if it is not content, else "". */
    String check() {
        CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> check(second()));
        return check(first()) + other.join();
    }

    private static String check(Path image) {
        Tool.Result result = Tool.run("e2fsck", "-fn", image);
        return result.exit() == 0 ? "" : "exit " + result.exit() + "\n" + result.output();
    }

    /** Keeps both images for somebody to look at. */
    void keep(Path where) {
        try {
            Files.createDirectories(where);
            Files.copy(first(), where.resolve("a.img"), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(second(), where.resolve("b.img"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void clear() {
        for (Path directory : mountpoints) {
            if (isMounted(directory) && Tool.run("umount", directory).exit() != 0) {
                Tool.run("umount", "-l", directory);
            }
        }
        for (Path image : List.of(first(), second())) {
            for (String loop : Tool.run("losetup", "-n", "-O", "NAME", "-j", image)
                    .output()
                    .split("\\s+")) {
                if (!loop.isEmpty()) {
                    Tool.run("losetup", "-d", loop);
                }
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("lab: " + folder + " is left behind: " + e.getMessage());
        }
    }

    private static boolean isMounted(Path directory) {
        try {
            return Files.readString(Path.of("/proc/self/mounts")).contains(" " + directory + " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
