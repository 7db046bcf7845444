// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Random trees of the host, made as root with everything a filesystem can hold, and their comparison. */
final class HostTree {
    private final Random random;
    private final Path root;
    private final List<Path> directories = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();
    private final StringBuilder script = new StringBuilder("set -e\n");

    private HostTree(Path root, long seed) {
        this.root = root;
        this.random = new Random(seed);
    }

    /** Makes {@code root} and a tree of {@code count} files in it. */
    static void make(Path root, long seed, int count) throws IOException {
        HostTree tree = new HostTree(root, seed);
        tree.directories.add(Files.createDirectories(root));
        for (int i = 0; i < count; i++) {
            tree.one(i);
        }
        tree.finish();
    }

    private void one(int i) throws IOException {
        Path parent = directories.get(random.nextInt(directories.size()));
        Path path = parent.resolve(name(i));
        switch (random.nextInt(10)) {
            case 0, 1 -> directories.add(Files.createDirectory(path));
            case 2 -> Files.createSymbolicLink(path, Path.of("t".repeat(1 + random.nextInt(200))));
            case 3 -> special(path);
            case 4 -> {
                if (!files.isEmpty()) {
                    Files.createLink(path, files.get(random.nextInt(files.size())));
                }
            }
            case 5 -> files.add(sparse(path));
            default -> {
                byte[] bytes = new byte[random.nextInt(20_000)];
                random.nextBytes(bytes);
                files.add(Files.write(path, bytes));
            }
        }
    }

    private String name(int i) {
        return switch (random.nextInt(8)) {
            case 0 -> "n" + i + "-" + "x".repeat(249 - String.valueOf(i).length());
            case 1 -> "with space and \\ " + i;
            case 2 -> "gr\u00FC\u00DFe" + i;
            case 3 -> "new\nline" + i;
            default -> "f" + i;
        };
    }

    private void special(Path path) {
        String[] kinds = {"p", "c 1 " + random.nextInt(1 << 20), "b 200 " + random.nextInt(256)};
        String kind = kinds[random.nextInt(kinds.length)];
        script.append("mknod ").append(quote(path)).append(' ').append(kind).append('\n');
    }

    private Path sparse(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long at = 0;
            for (int i = random.nextInt(4); i >= 0; i--) {
                at += 65536L * random.nextInt(30);
                channel.write(ByteBuffer.wrap(new byte[] {1, 2, (byte) i}), at);
            }
            if (random.nextBoolean()) {
                channel.write(ByteBuffer.allocate(1), at + (1 << 20));
            }
        }
        return path;
    }

    private void finish() throws IOException {
        for (Path file : files) {
            if (random.nextInt(3) == 0) {
                xattr(file, "user.x" + random.nextInt(5));
            }
            if (random.nextInt(5) == 0) {
                xattr(file, "trusted.t");
            }
            if (random.nextInt(6) == 0) {
                script.append("setfacl -m u:").append(random.nextInt(5000)).append(":rw ");
                script.append(quote(file)).append('\n');
            }
        }
        for (Path directory : directories) {
            if (random.nextInt(4) == 0) {
                script.append("setfacl -d -m u:7:rwx ").append(quote(directory)).append('\n');
            }
        }
        Path run = Files.createTempFile("tree", ".sh");
        Files.writeString(run, script);
        Tool.run("bash", run).ok();
        Files.delete(run);
        attributes();
    }

    private void xattr(Path file, String name) {
        byte[] value = new byte[random.nextInt(100)];
        random.nextBytes(value);
        script.append("setfattr -n ").append(name).append(" -v 0s");
        script.append(java.util.Base64.getEncoder().encodeToString(value));
        script.append(' ').append(quote(file)).append('\n');
    }

    /** Owners, modes and times of everything, from the leaves up. */
    private void attributes() throws IOException {
        List<Path> all;
        try (var walk = Files.walk(root)) {
            all = new ArrayList<>(walk.toList());
        }
        for (Path path : all.reversed()) {
            Files.setAttribute(path, "unix:uid", random.nextInt(70_000), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", random.nextInt(70_000), LinkOption.NOFOLLOW_LINKS);
            BasicFileAttributes type = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (type.isOther()) {
                // Java would open the device or wait at the fifo
                Tool.run("chmod", Integer.toOctalString(random.nextInt(010000)), path)
                        .ok();
                Tool.run("touch", "-h", "-d", "@" + random.nextInt() + "." + random.nextInt(1_000_000_000), path)
                        .ok();
                continue;
            }
            if (!type.isSymbolicLink()) {
                Files.setAttribute(path, "unix:mode", random.nextInt(010000), LinkOption.NOFOLLOW_LINKS);
            }
            Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(time(), time(), null);
        }
    }

    private FileTime time() {
        return FileTime.from(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
    }

    private static String quote(Path path) {
        return "'" + path.toString().replace("'", "'\\''") + "'";
    }

    /**
     * Everything that an archive keeps, as text by path: what stat(1) says, all extended attributes, hard links.
     * {@code find} and {@code getfattr} see names that Java can't say.
     */
    static Map<String, String> listing(Path root) {
        Map<String, String> listing = new TreeMap<>();
        String all = Tool.run(
                        "bash",
                        "-c",
                        "cd '" + root + "' && find . -name lost+found -prune -o "
                                + "-printf '%p|%M %U:%G %n %s %l %T@\\0' | sort -z | tr '\\0\\n' '\\n\\1'")
                .ok()
                .output();
        for (String line : all.split("\n")) {
            int at = line.indexOf('|');
            String rest = line.substring(at + 1);
            // sizes of directories are the filesystem's own affair
            listing.put(
                    line.substring(0, at), rest.startsWith("d") ? rest.replaceFirst(" (\\d+) \\d+ ", " $1 ") : rest);
        }
        String xattrs = Tool.run("bash", "-c", "cd '" + root + "' && getfattr -hRP -d -m - -e hex . 2>/dev/null")
                .output();
        for (String block : xattrs.split("\n\n")) {
            if (!block.startsWith("# file: lost+found")) {
                String[] lines = block.split("\n");
                listing.put(
                        "xattrs of " + lines[0],
                        Stream.of(lines).skip(1).sorted().toList().toString());
            }
        }
        listing.put(
                "devices",
                Tool.run(
                                "bash",
                                "-c",
                                "cd '" + root
                                        + "' && find . \\( -type b -o -type c \\) -print0 | sort -z | xargs -0r stat -c '%n %t %T'")
                        .ok()
                        .output());
        listing.put(
                "hard links",
                Tool.run(
                                "bash",
                                "-c",
                                "cd '" + root
                                        + "' && find . -type f -links +1 -printf '%i %p\\0' | sort -z -k2 | "
                                        + "awk 'BEGIN{RS=\"\\0\";ORS=\"\\n\"} {i=$1; if(!(i in n)) n[i]=++c; $1=n[i]; print}'")
                        .ok()
                        .output());
        return listing;
    }

    /** The same with a sum of each file's content; its paths must fit a system call. */
    static Map<String, String> listingWithContent(Path root) {
        Map<String, String> listing = listing(root);
        listing.put(
                "content",
                Tool.run("bash", "-c", "cd '" + root + "' && find . -type f -print0 | sort -z | xargs -0r md5sum")
                        .ok()
                        .output());
        return listing;
    }

    /** What is not equal, by path: what was found, and what was expected. */
    static <T> List<String> differences(Map<String, T> found, Map<String, T> expected) {
        TreeSet<String> paths = new TreeSet<>(found.keySet());
        paths.addAll(expected.keySet());
        return paths.stream()
                .filter(path -> !Objects.equals(found.get(path), expected.get(path)))
                .map(path -> path + ": " + found.get(path) + ", expected " + expected.get(path))
                .toList();
    }

    /** 512-byte sectors allocated, by path, of regular files. */
    static Map<String, Long> sectors(Path root) {
        Map<String, Long> sectors = new TreeMap<>();
        String all = Tool.run(
                        "bash", "-c", "cd '" + root + "' && find . -type f -printf '%b %p\\0' | tr '\\0\\n' '\\n\\1'")
                .ok()
                .output();
        for (String line : all.split("\n")) {
            int at = line.indexOf(' ');
            if (at > 0) {
                sectors.put(line.substring(at + 1), Long.parseLong(line.substring(0, at)));
            }
        }
        return sectors;
    }
}
