// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import ext4.testkit.oracle.TreeListing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Through the kernel's door: what others' servers got wrong, and a tree that the kernel then sees as it was written. */
@ParameterizedClass
@ValueSource(strings = {"fuse", "fuse-uring"})
class DoorTest {
    @TempDir
    static Path temp;

    /** One mount for all tests of a transport: a server takes seconds to start. */
    private static Path image;

    private static Path mountPoint;
    private static String options;
    private static Process server;

    /** A folder of its own for each test. */
    private Path root;

    DoorTest(String transport) {
        assertThat(options).endsWith("=" + transport);
    }

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        Oracles.needKernelMounts();
    }

    @BeforeParameterizedClassInvocation
    static void make(String transport) throws Exception {
        Ext4.needTransport(transport);
        image = temp.resolve(transport + ".img");
        E2fsprogs.mke2fs(image, 64L << 20, "-O", "orphan_file");
        mountPoint = Files.createDirectory(temp.resolve(transport));
        options = "orphan=sharded,transport=" + transport;
    }

    @BeforeEach
    void mount(TestInfo test) throws Exception {
        if (server == null) {
            server = Ext4.serve(image, mountPoint, options);
        }
        root = Files.createDirectory(
                mountPoint.resolve(test.getTestMethod().orElseThrow().getName()));
    }

    @AfterParameterizedClassInvocation
    static void unmount() throws Exception {
        if (server == null) {
            return;
        }
        if (server.isAlive()) {
            Ext4.run("umount", mountPoint.toString()).ok();
            server.waitFor();
        }
        server = null;
        E2fsprogs.assertClean(image, "after the tests");
    }

    /** The same folder, seen by the kernel's own ext4. */
    private Path by(LoopMount kernel) {
        return kernel.root().resolve(root.getFileName());
    }

    @Test
    void aNameOf256BytesIsTooLong() throws IOException {
        Files.createFile(root.resolve("n".repeat(255)));
        assertThatThrownBy(() -> Files.createFile(root.resolve("n".repeat(256))))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("File name too long");
        assertThatThrownBy(() -> Files.createDirectory(root.resolve("n".repeat(300))))
                .hasMessageContaining("File name too long");
        assertThat(root.toFile().list()).containsExactly("n".repeat(255));
    }

    @Test
    void renameOverAnOpenFileLeavesItReadableAndNothingBehind() throws IOException {
        Path old = Files.writeString(root.resolve("old"), "old content");
        Path fresh = Files.writeString(root.resolve("new"), "new content");
        try (FileChannel open = FileChannel.open(old, StandardOpenOption.READ)) {
            Files.move(fresh, old, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            ByteBuffer content = ByteBuffer.allocate(20);
            open.read(content, 0);
            assertThat(new String(content.array(), 0, content.position(), StandardCharsets.UTF_8))
                    .isEqualTo("old content");
            assertThat(root.toFile().list()).containsExactly("old");
        }
        assertThat(Files.readString(old)).isEqualTo("new content");
    }

    @Test
    void theParentOfAnUnlinkedOpenFileCanBeRemoved() throws IOException {
        Path directory = Files.createDirectory(root.resolve("dir"));
        Path file = Files.writeString(directory.resolve("file"), "still there");
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
            Files.delete(file);
            Files.delete(directory);
            assertThat(open.size()).isEqualTo(11);
        }
        assertThat(root.toFile().list()).isEmpty();
    }

    @Test
    void nothingCanBeMadeInARemovedDirectory() throws IOException {
        Path directory = Files.createDirectory(root.resolve("dir"));
        Tool.Result result = Tool.run("sh", "-c", "cd '" + directory + "' && rmdir '" + directory + "' && : > x");
        assertThat(result.exit()).isNotZero();
        assertThat(result.output()).containsPattern("(?i)nonexistent|no such file");
        assertThatThrownBy(() -> Files.createFile(directory.resolve("x"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void truncateDownAndUpReadsAsZeros() throws IOException {
        Path file = root.resolve("file");
        Files.write(file, "x".repeat(10_000).getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(100);
            channel.write(ByteBuffer.wrap(new byte[] {'e'}), 9_999);
        }
        byte[] content = Files.readAllBytes(file);
        assertThat(content).hasSize(10_000);
        for (int i = 100; i < 9_999; i++) {
            assertThat(content[i]).as("byte " + i).isZero();
        }
    }

    @Test
    void appendAndTruncateOnOpen() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "one");
        Files.writeString(file, "two", StandardOpenOption.APPEND);
        assertThat(Files.readString(file)).isEqualTo("onetwo");
        Files.writeString(file, "3", StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        assertThat(Files.readString(file)).isEqualTo("3");
    }

    @Test
    void entriesCarryTheirTypeAndNumber() throws IOException {
        Files.createDirectory(root.resolve("dir"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("dir"));
        Files.createFile(root.resolve("file"));
        Tool.run("mkfifo", root.resolve("fifo")).ok();
        assertThat(Tool.run("find", root, "-mindepth", "1", "-printf", "%f %y %i\\n")
                        .output()
                        .lines())
                .allSatisfy(line -> {
                    String[] parts = line.split(" ");
                    assertThat(parts[2])
                            .isEqualTo(Tool.run("stat", "-c", "%i", root.resolve(parts[0]))
                                    .output()
                                    .strip());
                })
                .hasSize(4);
    }

    @Test
    void timesCoverTheEpochBitsAndClamp() throws Exception {
        Map<String, Long> times =
                Map.of("1901", -(1L << 31), "1969", -1L, "2038", 1L << 31, "2446", (1L << 34) - (1L << 31) - 1);
        for (Map.Entry<String, Long> time : times.entrySet()) {
            Path file = Files.createFile(root.resolve(time.getKey()));
            Tool.run("touch", "-d", "@" + time.getValue(), file).ok();
        }
        Tool.run("touch", "-d", "@" + (1L << 35), Files.createFile(root.resolve("later")))
                .ok();
        Tool.run("touch", "-d", "@" + -(1L << 33), Files.createFile(root.resolve("earlier")))
                .ok();
        unmount();
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            times.forEach((name, seconds) ->
                    assertThat(seconds(by(kernel).resolve(name))).isEqualTo(seconds));
            assertThat(seconds(by(kernel).resolve("later"))).isEqualTo((1L << 34) - (1L << 31) - 1);
            assertThat(seconds(by(kernel).resolve("earlier"))).isEqualTo(-(1L << 31));
        }
    }

    private static long seconds(Path file) {
        return Long.parseLong(Tool.run("stat", "-c", "%Y", file).ok().output().strip());
    }

    @Test
    void theKernelSeesTheTreeThatWasWrittenHere() throws Exception {
        String script = "cd '" + root + "' && mkdir -p a/b/c && cp -r /usr/share/common-licenses a/ && "
                + "ln -s target a/short && ln -s " + "x".repeat(200) + " a/long && mknod a/dev b 7 300 && "
                + "mkfifo a/fifo && ln a/common-licenses/GPL-2 a/b/hard && chown 1234:70000 a/b && chmod 4750 a/b/hard && "
                + "truncate -s 300M a/sparse && echo end >> a/sparse && touch -d '2200-01-01 00:00:00.123456789' a/b/c && "
                + "setfattr -n user.small -v abc a/b && setfattr -n user.big -v " + "v".repeat(700) + " a/b";
        Tool.run("sh", "-c", script).ok();
        Map<String, String> here = TreeListing.of(root.resolve("a"));
        unmount();
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            assertThat(TreeListing.of(by(kernel).resolve("a"))).isEqualTo(here).hasSizeGreaterThan(15);
        }
    }
}
