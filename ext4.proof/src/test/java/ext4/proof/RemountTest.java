// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalProvider;
import ext4.core.mount.Ext4CoreProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.lab.stack.Paths;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Read-only and read-write again without unmounting: the image is clean in between, judged by e2fsck on a copy. */
class RemountTest {
    private static final byte[] CONTENT = Paths.bytes("written without fsync");

    @TempDir
    Path temp;

    private Path image;
    private BlockDevice device;
    private CoreFileSystem fs;
    private Paths paths;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    private void make(String features) {
        image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 32L << 20, "-O", features);
    }

    private void mount(MountOptions options, String strategy) {
        device = Stack.open(image, false);
        fs = Stack.mount(device, options, strategy);
        paths = new Paths(fs);
    }

    private void readWrite(String strategy) {
        JournalProvider journal =
                new Ext4CoreProvider().needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
        fs.remountReadWrite(journal, strategy, Stack.strategy(strategy));
    }

    @AfterEach
    void close() {
        if (fs != null) {
            fs.close();
            device.close();
        }
    }

    private Path copy(String name) throws IOException {
        return Files.copy(image, temp.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void assertMarkedClean(Path copy) {
        E2fsprogs.assertClean(copy, "read-only");
        assertThat(Tool.run("dumpe2fs", "-h", copy).ok().output())
                .contains("Filesystem state:         clean")
                .doesNotContain("needs_recovery", "orphan_present");
    }

    private void write(String path) {
        int ino = paths.create(path);
        paths.writeAt(ino, 0, CONTENT);
        paths.forget(ino);
    }

    private void assertRefused(Errno errno, Runnable change) {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(change::run)
                .satisfies(e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @ParameterizedTest
    @CsvSource({"orphan_file, sharded", "orphan_file, global", "^has_journal, sharded", "'^metadata_csum', global"})
    void readOnlyIsCleanAndReadWriteGoesOn(String features, String strategy) throws IOException {
        make(features);
        mount(MountOptions.DEFAULTS, strategy);
        for (int i = 0; i < 50; i++) {
            write("f" + i);
        }
        paths.inParent("f0", root -> fs.unlink(Credentials.ROOT, root, Paths.bytes("f0")));

        fs.remountReadOnly();
        assertThat(fs.readOnly()).isTrue();
        Path copy = copy("read-only.img");
        assertMarkedClean(copy);
        assertThat(E2fsprogs.debugfs(copy, false, "cat f49")).contains("written without fsync");

        assertRefused(Errno.EROFS, () -> paths.create("more"));
        int ino = paths.need("f1");
        assertRefused(Errno.EROFS, () -> paths.writeAt(ino, 0, CONTENT));
        fs.fsync(ino, false);
        paths.forget(ino);
        fs.syncfs();
        assertThat(paths.read("f1")).isEqualTo(CONTENT);
        String other = strategy.equals("global") ? "sharded" : "global";
        fs.swapOrphanStrategy(other, Stack.strategy(other));
        fs.syncfs();
        assertThat(Files.mismatch(image, copy)).as("written while read-only at").isEqualTo(-1);
        fs.remountReadOnly(); // is it already

        readWrite(strategy);
        assertThat(fs.readOnly()).isFalse();
        assertThat(fs.strategyName()).isEqualTo(other);
        write("more");
        int more = paths.need("more");
        fs.fsync(more, false);
        paths.forget(more);
        Path crashed = copy("crashed.img");
        E2fsprogs.recover(crashed);
        assertThat(E2fsprogs.debugfs(crashed, false, "cat more")).contains("written without fsync");

        fs.remountReadOnly();
        assertMarkedClean(copy("again.img"));
        fs.close();
        assertMarkedClean(image);
    }

    @ParameterizedTest
    @CsvSource({"orphan_file", "^has_journal"})
    void whatWasMountedReadOnlyBecomesWritable(String features) throws IOException {
        make(features);
        byte[] before = Files.readAllBytes(image);
        mount(MountOptions.DEFAULTS.withReadOnly(true), "global");
        assertRefused(Errno.EROFS, () -> paths.create("one"));
        assertThat(Arrays.equals(before, Files.readAllBytes(image))).isTrue();
        readWrite("sharded");
        assertThat(fs.strategyName()).isEqualTo("sharded");
        write("one");
        fs.remountReadOnly();
        assertMarkedClean(copy("read-only.img"));
        readWrite("sharded");
        write("two");
        fs.close();
        assertMarkedClean(image);
        assertThat(E2fsprogs.debugfs(image, false, "cat two")).contains("written without fsync");
    }

    @Test
    void anUnlinkedOpenFileKeepsItReadWrite() throws IOException {
        make("orphan_file");
        mount(MountOptions.DEFAULTS, "sharded");
        int open = paths.create("open");
        paths.inParent("open", root -> fs.unlink(Credentials.ROOT, root, Paths.bytes("open")));
        assertRefused(Errno.EBUSY, fs::remountReadOnly);
        assertThat(fs.readOnly()).isFalse();
        paths.writeAt(open, 0, CONTENT);
        fs.forget(open, 1);
        fs.remountReadOnly();
        assertMarkedClean(copy("read-only.img"));
    }

    @Test
    void errorsFeaturesAndForeignWritesKeepItReadOnly() {
        make("orphan_file");
        mount(MountOptions.DEFAULTS, "sharded");
        fs.remountReadOnly();
        E2fsprogs.debugfs(image, true, "set_super_value volume_name other");
        assertThatThrownBy(() -> readWrite("sharded"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("was changed since it was mounted");
        E2fsprogs.debugfs(image, true, "feature verity");
        assertThatThrownBy(() -> readWrite("sharded"))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("verity");
        E2fsprogs.debugfs(image, true, "feature -verity");
        E2fsprogs.debugfs(image, true, "set_super_value state 2");
        assertThatThrownBy(() -> readWrite("sharded"))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("s_state");
        assertThat(fs.readOnly()).isTrue();
    }

    @Test
    void withoutItsJournalItCanOnlyBeRead() {
        make("has_journal");
        mount(new MountOptions(true, true, false, MountOptions.Atime.RELATIME, 0, true, null, false), "global");
        assertThatThrownBy(() -> readWrite("global"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("noload");
    }
}
