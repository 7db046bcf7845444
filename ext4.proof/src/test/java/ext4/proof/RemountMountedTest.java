// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remounts of a mount point that programs use. */
class RemountMountedTest {
    private static final String LOAD = """
            i=0
            while [ ! -e "$S" ]; do
              i=$((i + 1))
              echo $i >"$M/$N-$i" && cat "$M/$N-$i" >/dev/null && mv "$M/$N-$i" "$M/$N" && rm "$M/$N" && echo $i >>"$P"
            done
            """;

    @TempDir
    Path temp;

    private Path image;
    private Path directory;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    @BeforeEach
    void mount() throws IOException {
        image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 64L << 20, "-O", "orphan_file");
        directory = Files.createDirectory(temp.resolve("mnt"));
        Ext4.run("mount", "-o", "orphan=sharded,nosuid", image.toString(), directory.toString())
                .ok();
    }

    @AfterEach
    void unmount() throws IOException {
        if (Ext4.isMounted(directory)) {
            Ext4.run("umount", directory.toString()).ok();
        }
        E2fsprogs.assertClean(image, "at the end");
    }

    private Tool.Result remount(String how) {
        return Ext4.run("mount", "-o", "remount," + how, directory.toString());
    }

    private void assertMode(String mode) throws IOException {
        assertThat(Files.readString(Path.of("/proc/self/mounts")))
                .contains(" " + directory + " fuse.ext4j " + mode + ",nosuid,relatime,");
    }

    private void assertCopyIsClean() throws IOException {
        Path copy = temp.resolve("copy.img");
        Files.copy(image, copy);
        E2fsprogs.assertClean(copy, "read-only");
        assertThat(Tool.run("dumpe2fs", "-h", copy).ok().output()).doesNotContain("needs_recovery", "orphan_present");
    }

    @Test
    void underLoadNothingFailsButChangesOfAReadOnlyFilesystem() throws Exception {
        Path stop = temp.resolve("stop");
        Path progress = Files.createFile(temp.resolve("progress"));
        Path errors = Files.createDirectory(temp.resolve("errors"));
        List<Process> loads = new ArrayList<>();
        try {
            for (String name : new String[] {"a", "b", "c"}) {
                loads.add(load(name, stop, progress, errors));
            }
            await(() -> size(progress) > 200, loads);
            remount("ro").ok();
            assertMode("ro");
            assertCopyIsClean();
            await(() -> size(errors.resolve("a")) > 1000, loads);
            long before = size(progress);
            remount("rw").ok();
            assertMode("rw");
            await(() -> size(progress) > before + 200, loads);
        } finally {
            Files.createFile(stop);
            for (Process load : loads) {
                load.waitFor();
            }
        }
        for (String name : new String[] {"a", "b", "c"}) {
            assertThat(Files.readAllLines(errors.resolve(name)))
                    .allMatch(line -> line.endsWith("Read-only file system"));
        }
    }

    private Process load(String name, Path stop, Path progress, Path errors) throws IOException {
        ProcessBuilder load = new ProcessBuilder("sh", "-c", LOAD)
                // each its own: a shell writes a line in pieces
                .redirectError(errors.resolve(name).toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        load.environment().put("LC_ALL", "C");
        load.environment().put("N", name);
        load.environment().put("M", directory.toString());
        load.environment().put("S", stop.toString());
        load.environment().put("P", progress.toString());
        return load.start();
    }

    private static void await(BooleanSupplier condition, List<Process> loads) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the load goes on").isLessThan(deadline);
            assertThat(loads.getFirst().waitFor(20, TimeUnit.MILLISECONDS))
                    .as("a load ended")
                    .isFalse();
        }
    }

    private static long size(Path file) {
        return file.toFile().length();
    }

    @Test
    void filesOpenForWritingAndUnlinkedOpenOnesKeepItBusy() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "content");
        try (FileChannel writer = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertBusy();
            assertThat(writer.isOpen()).isTrue();
        }
        try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ)) {
            remount("ro").ok();
            assertThat(reader.size()).isEqualTo(7);
            remount("rw").ok();
            Files.delete(file);
            assertBusy();
        }
        remount("ro").ok();
        assertCopyIsClean();
        assertThat(Ext4.run("status", directory.toString()).ok().output()).contains("mode: read-only");
    }

    private void assertBusy() throws IOException {
        Tool.Result result = remount("ro");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output()).isEqualTo("ext4: mount: " + directory + ": mount point is busy\n");
        assertMode("rw");
        Files.writeString(directory.resolve("other"), "goes on");
    }

    @Test
    void whatWasMountedReadOnlyIsOpenedForWriting() throws IOException {
        Ext4.run("umount", directory.toString()).ok();
        Ext4.run("mount", "-o", "ro,nosuid", image.toString(), directory.toString())
                .ok();
        byte[] before = Files.readAllBytes(image);
        assertThatThrownBy(() -> Files.createFile(directory.resolve("file"))).hasMessageContaining("Read-only");
        assertThat(Arrays.equals(before, Files.readAllBytes(image))).isTrue();
        remount("rw").ok();
        assertMode("rw");
        Files.writeString(directory.resolve("file"), "content");
        remount("ro").ok();
        assertCopyIsClean();
    }
}
