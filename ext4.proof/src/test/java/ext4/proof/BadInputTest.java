// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be mounted gets one clear line, an exit code that is not 0, and nothing is written. */
class BadInputTest {
    @TempDir
    Path temp;

    private Path image;
    private Path directory;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        Oracles.needKernelMounts();
    }

    @BeforeEach
    void make() throws IOException {
        image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 16L << 20);
        directory = Files.createDirectory(temp.resolve("mnt"));
    }

    private void refused(String expected, String... arguments) throws IOException {
        byte[] before = Files.exists(image) ? Files.readAllBytes(image) : null;
        Tool.Result result = Ext4.run(arguments);
        assertThat(result.exit()).as(result.output()).isNotZero();
        assertThat(result.output().strip().lines()).as(result.output()).hasSize(1);
        assertThat(result.output()).contains(expected);
        if (before != null) {
            assertThat(Arrays.equals(before, Files.readAllBytes(image)))
                    .as("nothing written")
                    .isTrue();
        }
    }

    private void mountRefused(String expected) throws IOException {
        refused(expected, "mount", image.toString(), directory.toString());
    }

    @Test
    void notAnExt4Image() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.write(new byte[1 << 20]);
        }
        mountRefused("s_magic");
    }

    @Test
    void tooShort() throws IOException {
        Files.write(image, new byte[1500]);
        mountRefused("disk.img");
    }

    @Test
    void truncated() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(8 << 20);
        }
        mountRefused("disk.img");
    }

    @Test
    void wrongSuperblockChecksum() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(1024 + 0x78);
            file.write('x');
        }
        mountRefused("s_checksum");
    }

    @Test
    void missingImageAndMountPoint() throws IOException {
        refused("No such file", "mount", temp.resolve("none").toString(), directory.toString());
        refused(
                "mount point does not exist",
                "mount",
                image.toString(),
                temp.resolve("none").toString());
        refused("not a directory", "mount", image.toString(), image.toString());
    }

    @Test
    void unknownOptionAndStrategy() throws IOException {
        refused("blocksize=9", "mount", "-o", "blocksize=9", image.toString(), directory.toString());
        refused("nosuch", "mount", "-o", "orphan=nosuch", image.toString(), directory.toString());
    }

    @Test
    void inUseByTheKernel() throws IOException {
        try (LoopMount kernel = new LoopMount(image, "rw")) {
            Tool.Result result = Ext4.run("mount", image.toString(), directory.toString());
            assertThat(result.exit()).isNotZero();
            assertThat(result.output()).contains("in use");
            assertThat(kernel.root()).isDirectory();
        }
    }

    @Test
    void inUseByAnotherMount() throws Exception {
        Path second = Files.createDirectory(temp.resolve("second"));
        Process server = Ext4.serve(image, directory, "rw");
        try {
            Tool.Result result = Ext4.run("mount", image.toString(), second.toString());
            assertThat(result.exit()).isNotZero();
            assertThat(result.output()).contains("in use");
        } finally {
            Ext4.run("umount", directory.toString()).ok();
            server.waitFor();
        }
        E2fsprogs.assertClean(image, "after the mount that was not disturbed");
    }

    @Test
    void unsupportedFeatureIsNamed() throws IOException {
        E2fsprogs.mke2fs(image, 16L << 20, "-O", "inline_data");
        mountRefused("inline_data");
    }
}
