// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** What the kernel itself has in use: loop devices on an image, mounts and stacked devices on a block special file. */
final class KernelUse {
    /** How long an attribute may answer with errors before that is one. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final Path sys;
    private final Path proc;

    /** @param sys where sysfs is mounted, {@code proc} where procfs is */
    KernelUse(Path sys, Path proc) {
        this.sys = sys;
        this.proc = proc;
    }

    /**
     * The loop device that has {@code image} as its backing file, in words for a message, or null. A read-only loop
     * device is no obstacle to a reader.
     */
    String loopOn(Path image, boolean readOnly) throws IOException {
        Path block = sys.resolve("block");
        if (!Files.isDirectory(block)) {
            return null;
        }
        try (DirectoryStream<Path> loops = Files.newDirectoryStream(block, "loop*")) {
            for (Path loop : loops) {
                String backing = firstLine(loop.resolve("loop/backing_file"));
                if (backing != null
                        && isSame(backing, image)
                        && !(readOnly && "1".equals(firstLine(loop.resolve("ro"))))) {
                    String device = "/dev/" + loop.getFileName();
                    String mounted = mountOf(firstLine(loop.resolve("dev")));
                    return mounted == null ? device : device + ", mounted on " + mounted;
                }
            }
        }
        return null;
    }

    /** What uses the block device {@code major:minor}, in words for a message, or null. */
    String userOf(String majorMinor) throws IOException {
        String mounted = mountOf(majorMinor);
        if (mounted != null) {
            return "the kernel, mounted on " + mounted;
        }
        Path holders = sys.resolve("dev/block").resolve(majorMinor).resolve("holders");
        if (Files.isDirectory(holders)) {
            try (DirectoryStream<Path> list = Files.newDirectoryStream(holders)) {
                for (Path holder : list) {
                    return "/dev/" + holder.getFileName();
                }
            }
        }
        return null;
    }

    /** The process that holds a POSIX lock on inode {@code ino}, as "process N", or "another process". */
    String lockHolder(long ino) throws IOException {
        Path locks = proc.resolve("locks");
        if (Files.isReadable(locks)) {
            for (String line : Files.readAllLines(locks)) {
                String[] field = line.trim().split("\\s+");
                if (field.length >= 6 && field[5].endsWith(":" + ino) && !field[4].startsWith("-")) {
                    return "process " + field[4];
                }
            }
        }
        return "another process";
    }

    /** The first mount point of the device {@code major:minor}, or null. See proc_pid_mountinfo(5). */
    private String mountOf(String majorMinor) throws IOException {
        Path mounts = proc.resolve("self/mountinfo");
        if (majorMinor == null || !Files.isReadable(mounts)) {
            return null;
        }
        List<String> lines = Files.readAllLines(mounts, StandardCharsets.ISO_8859_1);
        for (String line : lines) {
            String[] field = line.split(" ", 6);
            if (field.length == 6 && field[2].equals(majorMinor)) {
                return field[4];
            }
        }
        return null;
    }

    private static boolean isSame(String backing, Path image) throws IOException {
        try {
            Path path = Path.of(backing);
            return Files.exists(path) && Files.isSameFile(path, image);
        } catch (NoSuchFileException e) {
            return false; // removed in between
        } catch (InvalidPathException e) {
            return false; // a name that this JVM's encoding cannot say is not the name it opened
        }
    }

    /**
     * The first line of an attribute, or null if there is none. A device that is being taken down answers with an error
     * for a moment before its attributes are gone; that is not the end of whoever only looks.
     */
    private static String firstLine(Path file) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (Files.isReadable(file)) {
            try {
                List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
                return lines.isEmpty() ? null : lines.getFirst();
            } catch (NoSuchFileException e) {
                return null;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
        return null;
    }
}
