// SPDX-License-Identifier: Apache-2.0
package ext4.format.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Images made by e2fsprogs and the kernel, for tests to read: tools that are missing skip the test and say so. */
public final class Oracle {
    private final Path image;

    private Oracle(Path image) {
        this.image = image;
    }

    /** A new image of {@code size} bytes made by mke2fs. */
    public static Oracle make(Path dir, long size, String... mke2fsOptions) throws IOException, InterruptedException {
        needTools("mke2fs", "debugfs", "e2fsck");
        Path image = dir.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(size);
        }
        List<String> command = new ArrayList<>(List.of("mke2fs", "-q", "-F", "-t", "ext4"));
        command.addAll(List.of(mke2fsOptions));
        command.add(image.toString());
        run(command);
        return new Oracle(image);
    }

    public static void needTools(String... tools) {
        for (String tool : tools) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/sbin", tool)) || Files.isExecutable(Path.of("/sbin", tool)),
                    "skipped: e2fsprogs' " + tool + " is not installed");
        }
    }

    public static void needLoopMount() {
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: loop mounts need root");
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "skipped: no loop devices here");
    }

    /** Runs work with the image mounted by the kernel, and the mount point. */
    public Oracle mounted(String options, Work work) throws Exception {
        needLoopMount();
        Path mountPoint = Files.createTempDirectory("ext4-oracle");
        String all = options.isEmpty() ? "loop" : "loop," + options;
        run(List.of("mount", "-t", "ext4", "-o", all, image.toString(), mountPoint.toString()));
        try {
            work.run(mountPoint);
        } finally {
            run(List.of("umount", mountPoint.toString()));
            Files.delete(mountPoint);
        }
        return this;
    }

    /** What happens while an image is mounted. */
    public interface Work {
        void run(Path mountPoint) throws Exception;
    }

    /** A copy of the image as its device is now: while mounted, what a crash would leave. */
    public Oracle copy(String name) throws IOException {
        return new Oracle(Files.copy(image, image.resolveSibling(name)));
    }

    /** The output of debugfs for a script, one request a line. */
    public String debugfs(byte[] script, String... options) throws IOException, InterruptedException {
        Path file = Files.write(image.resolveSibling("requests"), script);
        List<String> command = new ArrayList<>(List.of("debugfs"));
        command.addAll(List.of(options));
        command.addAll(List.of("-f", file.toString(), image.toString()));
        return run(command);
    }

    public String debugfs(String script, String... options) throws IOException, InterruptedException {
        return debugfs(script.getBytes(StandardCharsets.UTF_8), options);
    }

    /** The exit status of e2fsck. */
    public int e2fsck(String options) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("e2fsck", options, image.toString())
                .redirectErrorStream(true)
                .redirectOutput(image.resolveSibling("e2fsck.log").toFile())
                .start();
        return process.waitFor();
    }

    /** The physical blocks of the first {@code count} logical blocks of a file ("/name" or "<inode>"). */
    public long[] blocks(String file, int count) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < count; i++) {
            script.append("bmap ").append(file).append(' ').append(i).append('\n');
        }
        String output = debugfs(script.toString());
        return Pattern.compile("^[0-9]+", Pattern.MULTILINE)
                .matcher(output)
                .results()
                .mapToLong(result -> Long.parseLong(result.group()))
                .toArray();
    }

    /** The first number behind a label in debugfs' stat of a file. */
    public long stat(String file, String label) throws IOException, InterruptedException {
        String output = debugfs("stat " + file + "\n");
        Matcher matcher = Pattern.compile(Pattern.quote(label) + "\\s*([0-9]+)").matcher(output);
        assertThat(matcher.find()).as(output).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    public byte[] read(long offset, int length) throws IOException {
        byte[] b = new byte[length];
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "r")) {
            file.seek(offset);
            file.readFully(b);
        }
        return b;
    }

    public void write(long offset, byte[] b) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(offset);
            file.write(b);
        }
    }

    public Path path() {
        return image;
    }

    /** Runs a command that must succeed; its output. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor()).as(command + ": " + output).isZero();
        return output;
    }
}
