// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.StatFs;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a crash leaves of unlinked files in use, and what the next mount, e2fsck and the kernel make of it. */
class OrphanRecoveryTest {
    private static final int FILES = 300;

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest(name = "{0} crashed, {1} recovers, mke2fs -O {2}")
    @CsvSource({
        "global, sharded, ^orphan_file",
        "sharded, global, ^orphan_file",
        "global, sharded, orphan_file",
        "sharded, global, orphan_file",
    })
    void orphansOfACrashAreFreed(String crashed, String recovers, String feature) throws Exception {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, "-b", "1024", "-O", feature, "-N", "2000");
        StatFs before;
        try (TestMount mount = new TestMount(image)) {
            before = mount.fs.statfs();
        }
        Path crash = crashWithOrphans(image, crashed);
        Path forTools = Files.copy(crash, folder.resolve("tools"));
        E2fsprogs.recover(forTools);
        E2fsprogs.assertClean(forTools, "e2fsck after e2fsck");

        try (TestMount mount = new TestMount(crash, recovers, MountOptions.DEFAULTS)) {
            assertThat(mount.fs.statfs()).isEqualTo(before);
            mount.fs.syncfs();
            assertThat(mount.fs.status()).containsEntry("orphans", "0");
        }
        E2fsprogs.assertClean(crash, "after recovery");
    }

    @ParameterizedTest(name = "{0}, mke2fs -O {1}")
    @CsvSource({"global, ^orphan_file", "sharded, ^orphan_file", "global, orphan_file", "sharded, orphan_file"})
    void theKernelRecoversThem(String strategy, String feature) throws Exception {
        Oracles.needKernelMounts();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, "-b", "4096", "-O", feature, "-N", "2000");
        Path crash = crashWithOrphans(image, strategy);
        try (LoopMount mount = new LoopMount(crash, "rw")) {
            assertThat(mount.root()).isDirectoryContaining(path -> path.endsWith("lost+found"));
        }
        E2fsprogs.assertClean(crash, "after the kernel's recovery");
        assertThat(E2fsprogs.debugfs(crash, false, "stats")).contains("Free inodes:              " + freeAfterMkfs());
    }

    private String freeAfterMkfs() {
        Path fresh = folder.resolve("fresh");
        E2fsprogs.mke2fs(fresh, 64L << 20, "-b", "4096", "-O", "^orphan_file", "-N", "2000");
        return E2fsprogs.debugfs(fresh, false, "stats")
                .lines()
                .filter(line -> line.startsWith("Free inodes:"))
                .findFirst()
                .orElseThrow()
                .substring("Free inodes:              ".length())
                .strip()
                .substring(0, 3);
    }

    private Path crashWithOrphans(Path image, String strategy) throws Exception {
        Path crash = folder.resolve("crash");
        try (TestMount mount = new TestMount(image, strategy, MountOptions.DEFAULTS)) {
            int directory = mount.mkdir(TestMount.ROOT, "d");
            for (int i = 0; i < FILES; i++) {
                int ino = mount.create(directory, "f" + i);
                mount.write(ino, 0, new byte[3000]);
            }
            mount.fs.tmpfile(Credentials.ROOT, directory, 0600, new Attributes());
            mount.fs.syncfs();
            for (int i = 0; i < FILES; i++) {
                mount.unlink(directory, "f" + i);
                if (i == FILES / 2) {
                    mount.fs.syncfs();
                }
            }
            mount.fs.rmdir(Credentials.ROOT, TestMount.ROOT, TestMount.bytes("d"));
            mount.fs.syncfs();
            Files.copy(image, crash);
        }
        E2fsprogs.assertClean(image, "after unmounting with pins");
        return crash;
    }

    @Test
    void anOpenUnlinkedFileKeepsItsContent() {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, "-b", "1024");
        try (TestMount mount = new TestMount(image)) {
            long free = mount.fs.statfs().filesFree();
            int ino = mount.create(TestMount.ROOT, "f");
            byte[] content = {1, 2, 3};
            mount.write(ino, 5000, content);
            mount.unlink(TestMount.ROOT, "f");
            mount.fs.awaitEvictions();
            assertThat(mount.read(ino, 5000, 10)).isEqualTo(content);
            assertThat(mount.stat(ino).nlink).isZero();
            mount.fs.forget(ino, 1);
            mount.fs.awaitEvictions();
            assertThat(mount.fs.statfs().filesFree()).isEqualTo(free);
            assertThatThrownBy(() -> mount.stat(ino))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("Stale");
        }
        E2fsprogs.assertClean(image, "at the end");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"1, reserved", "500, free", "100000, out of range"})
    void aBadChainRefusesTheMount(int head, String why) throws Exception {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "1024", "-N", "1000");
        E2fsprogs.debugfs(image, true, "ssv last_orphan " + head);
        byte[] before = Files.readAllBytes(image);
        assertThatThrownBy(() -> new TestMount(image))
                .as(why)
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("orphan chain");
        assertThat(Files.readAllBytes(image)).isEqualTo(before);
    }

    @Test
    void aCyclicChainRefusesTheMount() {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "1024");
        try (TestMount mount = new TestMount(image)) {
            mount.create(TestMount.ROOT, "a");
            mount.create(TestMount.ROOT, "b");
        }
        E2fsprogs.debugfs(image, true, "sif /a dtime @13");
        E2fsprogs.debugfs(image, true, "sif /b dtime @12");
        E2fsprogs.debugfs(image, true, "ssv last_orphan 12");
        assertThatThrownBy(() -> new TestMount(image))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("each inode once");
    }
}
