// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountOptions.Errors;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.device.FailingDevice;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A block of metadata that can't be read: errors= applies where it does in the kernel, and nothing is left locked. */
@Timeout(60)
class UnreadableMetadataTest {
    private static final int BYTES = 16 << 20;

    private BlockDevice memory;
    private FailingDevice device;

    @BeforeEach
    void make() {
        memory = new ArrayDevice(new byte[BYTES]) {
            @Override
            public void close() {
                // it is looked at afterwards
            }
        };
        Mkfs.run(memory, new MkfsOptions(), new PrintWriter(Writer.nullWriter()));
        try (TestMount mount = new TestMount(memory, "sharded", MountOptions.DEFAULTS)) {
            int ino = mount.create(TestMount.ROOT, "file");
            mount.write(ino, 0, new byte[] {1, 2, 3});
        }
        device = new FailingDevice(memory);
    }

    private static MountOptions options(Errors errors) {
        return new MountOptions(false, false, false, MountOptions.Atime.NOATIME, 0, true, errors, false);
    }

    private byte[] superblock(BlockDevice from) {
        byte[] b = new byte[Superblock.SIZE];
        from.read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
        return b;
    }

    @ParameterizedTest
    @EnumSource
    void aTableThatCanNotBeReadIsAnErrorOfTheFilesystem(Errors errors) {
        try (TestMount mount = new TestMount(device, "sharded", options(errors))) {
            device.failIn(0, true);
            assertThatThrownBy(() -> mount.stat(TestMount.ROOT)).isInstanceOf(DeviceException.class);
            assertThat(mount.fs.status().get("errors")).isEqualTo("1, " + errors);
            if (errors == Errors.CONTINUE) {
                mount.create(TestMount.ROOT, "later");
            } else {
                assertThatThrownBy(() -> mount.create(TestMount.ROOT, "later"))
                        .isEqualTo(ErrnoException.of(Errno.EROFS));
                assertThatThrownBy(mount.fs::syncfs).isEqualTo(ErrnoException.of(Errno.EROFS));
            }
        }
        byte[] sb = superblock(memory);
        assertThat(SuperblockFields.state(sb, 0) & Superblock.STATE_ERROR).isNotZero();
        assertThat(SuperblockFields.errorCount(sb, 0)).isEqualTo(1);
        assertThat(SuperblockFields.firstErrorTime(sb, 0)).isPositive();
        assertThat(SuperblockFields.lastErrorTime(sb, 0)).isPositive();
        assertThat(SuperblockFields.lastErrorFunction(sb, 0)).isEqualTo("getattr");
    }

    @Test
    void eachErrorIsCountedInTheSuperblock() {
        try (TestMount mount = new TestMount(device, "sharded", options(Errors.CONTINUE))) {
            for (int i = 0; i < 3; i++) {
                device.failIn(0, true);
                assertThatThrownBy(() -> mount.stat(TestMount.ROOT)).isInstanceOf(DeviceException.class);
            }
        }
        assertThat(SuperblockFields.errorCount(superblock(memory), 0)).isEqualTo(3);
    }

    @Test
    void contentsThatCanNotBeReadAreNot() {
        try (TestMount mount = new TestMount(device, "sharded", options(Errors.REMOUNT_RO))) {
            int ino = mount.lookup(TestMount.ROOT, "file");
            device.failIn(0, true);
            assertThatThrownBy(() -> mount.read(ino, 0, 3)).isInstanceOf(DeviceException.class);
            assertThat(mount.fs.status().get("errors")).startsWith("0, ");
            mount.create(TestMount.ROOT, "later");
        }
    }

    /** Whichever read of a create fails: no inode stays locked, no number in use, and the unmount ends. */
    @Test
    void aCreateThatCanNotReadLeavesNothingLocked() {
        boolean failed = true;
        for (int at = 0; failed; at++) {
            try (TestMount mount = new TestMount(device, "sharded", options(Errors.CONTINUE))) {
                device.failIn(at, true);
                try {
                    mount.create(TestMount.ROOT, "new" + at);
                    failed = false;
                } catch (DeviceException e) {
                    mount.create(TestMount.ROOT, "again" + at);
                }
                device.heal();
                mount.unlink(TestMount.ROOT, failed ? "again" + at : "new" + at);
            }
        }
    }

    /** One that lost its cache says so once: nothing may be acknowledged afterwards. */
    @Test
    void aFlushThatFailsIsTheLastOne() {
        try (TestMount mount = new TestMount(device, "sharded", options(Errors.CONTINUE))) {
            int ino = mount.lookup(TestMount.ROOT, "file");
            mount.fs.syncfs();
            mount.write(ino, 0, new byte[] {4, 5, 6});
            mount.fs.fsync(ino, false);
            device.failIn(0, true);
            assertThatThrownBy(() -> mount.fs.fsync(ino, false)).isInstanceOf(DeviceException.class);
            assertThatThrownBy(() -> mount.fs.fsync(ino, false)).isEqualTo(ErrnoException.of(Errno.EROFS));
            assertThat(mount.fs.readOnly()).isTrue();
        }
    }

    /** A device that fails while what is open and unlinked is freed at the end. */
    @Test
    void anUnmountEndsItsThreadsWhateverFails() throws InterruptedException {
        TestMount mount = new TestMount(device, "sharded", options(Errors.CONTINUE));
        mount.lookup(TestMount.ROOT, "file");
        mount.unlink(TestMount.ROOT, "file");
        mount.fs.syncfs();
        device.failIn(0, false);
        try {
            mount.close();
        } catch (DeviceException e) {
            // the operator is told
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("ext4-")) {
                assertThat(thread.join(Duration.ofSeconds(10)))
                        .as(thread.getName())
                        .isTrue();
            }
        }
    }
}
