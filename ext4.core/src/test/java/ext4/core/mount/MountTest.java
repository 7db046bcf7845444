// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.TreeListing;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Marks in the superblock, read-only mounts, replay, refusals, and what follows an error. */
class MountTest {
    private static final MountOptions RO = MountOptions.DEFAULTS.withReadOnly(true);

    @TempDir
    Path folder;

    private Path image;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private void mke2fs(String... options) {
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 32L << 20, options);
    }

    private String stats() {
        return E2fsprogs.debugfs(image, false, "stats");
    }

    @Test
    void aMountedFilesystemSaysSo() {
        mke2fs("-b", "1024", "-O", "orphan_file");
        try (TestMount mount = new TestMount(image)) {
            assertThat(mount.fs.readOnly()).isFalse();
            assertThat(stats())
                    .contains("needs_recovery")
                    .contains("orphan_present")
                    .contains("state:         clean");
        }
        assertThat(stats())
                .doesNotContain("needs_recovery")
                .doesNotContain("orphan_present")
                .contains("Mount count:              1");
    }

    @Test
    void withoutAJournalItIsNotCleanWhileMounted() {
        mke2fs("-b", "1024", "-O", "^has_journal");
        try (TestMount mount = new TestMount(image)) {
            mount.create(TestMount.ROOT, "f");
            assertThat(stats()).contains("state:         not clean");
        }
        assertThat(stats()).contains("state:         clean");
        E2fsprogs.assertClean(image, "unmounted");
    }

    @Test
    void aReadOnlyMountChangesNothing() throws Exception {
        mke2fs("-b", "1024");
        byte[] before = Files.readAllBytes(image);
        try (TestMount mount = new TestMount(image, "sharded", RO)) {
            assertThat(mount.fs.readOnly()).isTrue();
            assertThat(mount.stat(TestMount.ROOT).nlink).isEqualTo(3);
            assertThatThrownBy(() -> mount.create(TestMount.ROOT, "f"))
                    .isInstanceOf(ErrnoException.class)
                    .extracting(e -> ((ErrnoException) e).errno())
                    .isEqualTo(Errno.EROFS);
            mount.fs.syncfs();
            mount.fs.swapOrphanStrategy("global", TestMount.strategy("global"));
        }
        assertThat(Files.readAllBytes(image)).isEqualTo(before);
    }

    @Test
    void aDirtyLogIsReplayedUnlessNothingMayBeWritten() throws Exception {
        mke2fs("-b", "1024");
        Path crash = folder.resolve("crash");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            mount.write(ino, 0, new byte[] {1, 2, 3});
            mount.fs.fsync(ino, false);
            Files.copy(image, crash);
        }
        var device = new FileBlockDeviceProvider().open(crash.toString(), true);
        assertThatThrownBy(() -> new TestMount(device, "sharded", RO))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("noload");
        MountOptions noload = new MountOptions(true, true, false, MountOptions.Atime.RELATIME, 0, true, null, false);
        var again = new FileBlockDeviceProvider().open(crash.toString(), true);
        try (TestMount mount = new TestMount(again, "sharded", noload)) {
            assertThat(mount.stat(TestMount.ROOT).nlink).isEqualTo(3);
        }
        try (TestMount mount = new TestMount(crash, "global", RO)) {
            assertThat(mount.read(mount.lookup(TestMount.ROOT, "f"), 0, 9)).containsExactly(1, 2, 3);
        }
        E2fsprogs.assertClean(crash, "replayed");
    }

    @ParameterizedTest(name = "-O {0}")
    @CsvSource({"inline_data, inline_data", "'encrypt', encrypt", "'mmp', mmp", "'casefold', casefold"})
    void whatIsNotSupportedIsRefusedByName(String option, String name) throws Exception {
        mke2fs("-b", "4096", "-O", option);
        byte[] before = Files.readAllBytes(image);
        assertThatThrownBy(() -> new TestMount(image))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining(name);
        assertThat(Files.readAllBytes(image)).isEqualTo(before);
    }

    @Test
    void anUnsupportedRoCompatFeatureMakesItReadOnly() {
        mke2fs("-b", "4096", "-O", "quota");
        try (TestMount mount = new TestMount(image)) {
            assertThat(mount.fs.readOnly()).isTrue();
            assertThat(mount.stat(TestMount.ROOT).nlink).isEqualTo(3);
        }
        E2fsprogs.assertClean(image, "after a read-only mount");
    }

    @Test
    void noSuperblockIsCorrupt() throws Exception {
        image = Files.write(folder.resolve("image"), new byte[1 << 20]);
        assertThatThrownBy(() -> new TestMount(image)).isInstanceOf(CorruptException.class);
    }

    @ParameterizedTest(name = "errors={0}")
    @CsvSource({"CONTINUE, false", "REMOUNT_RO, true"})
    void aContradictionFollowsTheErrorsOption(MountOptions.Errors behaviour, boolean readOnly) throws Exception {
        mke2fs("-b", "1024");
        int ino;
        try (TestMount mount = new TestMount(image)) {
            ino = mount.create(TestMount.ROOT, "f");
        }
        damageInode(ino);
        MountOptions options =
                new MountOptions(false, false, false, MountOptions.Atime.RELATIME, 0, true, behaviour, false);
        try (TestMount mount = new TestMount(image, "sharded", options)) {
            assertThatThrownBy(() -> mount.stat(ino))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("i_checksum");
            assertThat(mount.fs.readOnly()).isEqualTo(readOnly);
            if (readOnly) {
                assertThatThrownBy(() -> mount.create(TestMount.ROOT, "g")).isInstanceOf(ErrnoException.class);
            } else {
                mount.create(TestMount.ROOT, "g");
            }
        }
        assertThat(stats())
                .contains("with errors")
                .contains("FS Error count:           1")
                .contains("getattr");
    }

    private void damageInode(int ino) throws Exception {
        String location = E2fsprogs.debugfs(image, false, "imap <" + ino + ">");
        long block = Long.parseLong(location.replaceAll("(?s).*located at block (\\d+), offset.*", "$1"));
        int offset = Integer.decode(location.replaceAll("(?s).*offset (0x[0-9a-f]+).*", "$1"));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(block * 1024 + offset + 2);
            file.write(77);
        }
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @CsvSource({"-b 4096 -O orphan_file", "-b 1024 -I 128 -O ^metadata_csum"})
    void theKernelSeesTheSameTree(String options) throws Exception {
        Oracles.needKernelMounts();
        mke2fs(options.split(" "));
        Attributes file;
        try (TestMount mount = new TestMount(image)) {
            int directory = mount.mkdir(TestMount.ROOT, "d");
            int ino = mount.create(directory, "f");
            byte[] content = new byte[300_000];
            Arrays.fill(content, (byte) 7);
            mount.write(ino, 12_345, content);
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.MODE | AttributeChange.UID | AttributeChange.GID | AttributeChange.MTIME;
            change.mode = 06751;
            change.uid = 70_000;
            change.gid = 80_000;
            change.mtime = 1L << 33;
            change.mtimeNanos = 123_456_789;
            mount.fs.setattr(Credentials.ROOT, ino, change, new Attributes());
            file = mount.stat(ino);
        }
        try (LoopMount mount = new LoopMount(image, "ro")) {
            Map<String, String> tree = TreeListing.of(mount.root());
            assertThat(tree.get("d/f"))
                    .contains("mode=106751")
                    .contains("uid=70000 gid=80000")
                    .contains("size=312345");
            var unix = Files.readAttributes(mount.root().resolve("d/f"), "unix:*", LinkOption.NOFOLLOW_LINKS);
            assertThat(unix.get("lastModifiedTime"))
                    .isEqualTo(java.nio.file.attribute.FileTime.from(
                            java.time.Instant.ofEpochSecond(file.mtime, file.mtimeNanos)));
        }
    }

    @Test
    void theSyncOptionMakesEachChangeDurable() throws Exception {
        mke2fs("-b", "1024");
        MountOptions sync = new MountOptions(false, false, true, MountOptions.Atime.NOATIME, 0, true, null, false);
        Path crash = folder.resolve("crash");
        try (TestMount mount = new TestMount(image, "sharded", sync)) {
            int ino = mount.create(TestMount.ROOT, "f");
            mount.write(ino, 0, new byte[] {9});
            Files.copy(image, crash);
        }
        try (TestMount mount = new TestMount(crash)) {
            assertThat(mount.read(mount.lookup(TestMount.ROOT, "f"), 0, 9)).containsExactly(9);
        }
    }

    @Test
    void chownTakesSetIdAndTheOptionForBenchmarksRemovesAlways() {
        mke2fs("-b", "1024");
        MountOptions always = new MountOptions(false, false, false, MountOptions.Atime.STRICT, 0, true, null, true);
        try (TestMount mount = new TestMount(image, "global", always)) {
            int ino = mount.create(TestMount.ROOT, "f");
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.MODE;
            change.mode = 06755;
            Attributes out = new Attributes();
            mount.fs.setattr(Credentials.ROOT, ino, change, out);
            assertThat(out.mode).isEqualTo(0106755);
            change.valid = AttributeChange.UID;
            change.uid = 5;
            mount.fs.setattr(Credentials.ROOT, ino, change, out);
            assertThat(out.mode).isEqualTo(0100755);
            assertThat(out.uid).isEqualTo(5);
        }
        E2fsprogs.assertClean(image, "at the end");
    }
}
