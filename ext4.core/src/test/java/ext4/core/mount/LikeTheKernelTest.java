// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static ext4.core.mount.TestMount.ROOT;
import static ext4.core.mount.TestMount.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the comparison with the kernel's ext4 found to be otherwise there, a case each. */
class LikeTheKernelTest {
    private static final int BLOCK = 1024;
    private static final long MAX_SECONDS = 0x37fffffffL;

    @TempDir
    Path folder;

    private Path image;
    private TestMount mount;
    private final Attributes out = new Attributes();

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @BeforeEach
    void mount() {
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "" + BLOCK);
        mount = new TestMount(image, "sharded", MountOptions.DEFAULTS);
    }

    @AfterEach
    void unmount() {
        mount.close();
        E2fsprogs.assertClean(image, "afterwards");
    }

    private static void assertErrno(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ErrnoException.class)
                .extracting(e -> ((ErrnoException) e).errno())
                .isEqualTo(errno);
    }

    private void allocate(Credentials who, int ino, int mode, long offset, long length) {
        mount.fs.fallocate(who, ino, mode, offset, length);
    }

    private void set(int ino, int valid, AttributeChange change) {
        change.valid = valid;
        mount.fs.setattr(Credentials.ROOT, ino, change, out);
    }

    private void oldTimes(int ino) {
        AttributeChange change = new AttributeChange();
        change.atime = 1000;
        change.mtime = 1000;
        change.ctime = 1000;
        set(ino, AttributeChange.ATIME | AttributeChange.MTIME | AttributeChange.CTIME, change);
    }

    @Test
    void mkdirTakesNoSetIdBits() {
        mount.fs.mkdir(Credentials.ROOT, ROOT, bytes("d"), 07777, out);
        assertThat(out.mode & 07777).isEqualTo(01777);
    }

    @Test
    void rootKeepsSetIdBitsWhenItAllocates() {
        mount.fs.create(Credentials.ROOT, ROOT, bytes("f"), 06755, out);
        int ino = out.ino;
        allocate(Credentials.ROOT, ino, 0, 0, BLOCK);
        assertThat(mount.stat(ino).mode & 07777).isEqualTo(06755);
        allocate(new Credentials(7, 7, 0), ino, 0, 0, BLOCK);
        assertThat(mount.stat(ino).mode & 07777).isEqualTo(0755);
    }

    @Test
    void eachChangeOfContentTakesTheCapability() {
        byte[] name = bytes("security.capability");
        byte[] value = new byte[20];
        int ino = mount.create(ROOT, "f");
        Runnable give = () -> mount.fs.setxattr(Credentials.ROOT, ino, name, value, 0);
        give.run();
        mount.write(ino, 0, new byte[3]);
        assertErrno(Errno.ENODATA, () -> mount.fs.getxattr(ino, name));
        give.run();
        mount.truncate(ino, 1);
        assertErrno(Errno.ENODATA, () -> mount.fs.getxattr(ino, name));
        give.run();
        allocate(Credentials.ROOT, ino, 0, 0, BLOCK);
        assertErrno(Errno.ENODATA, () -> mount.fs.getxattr(ino, name));
    }

    @Test
    void fallocateModifies() {
        int ino = mount.create(ROOT, "f");
        oldTimes(ino);
        allocate(Credentials.ROOT, ino, FileSystem.FALLOC_KEEP_SIZE, 0, BLOCK);
        assertThat(mount.stat(ino).mtime).isGreaterThan(1000);
    }

    @Test
    void truncateToTheSameSizeFreesWhatIsBehindIt() {
        int ino = mount.create(ROOT, "f");
        mount.write(ino, 0, new byte[10]);
        allocate(Credentials.ROOT, ino, FileSystem.FALLOC_KEEP_SIZE, 5 * BLOCK, 20 * BLOCK);
        assertThat(mount.stat(ino).sectors).isEqualTo(42);
        mount.truncate(ino, 10);
        assertThat(mount.stat(ino).sectors).isEqualTo(2);
    }

    @Test
    void punchingLeavesWhatIsBehindTheEnd() {
        int ino = mount.create(ROOT, "f");
        mount.write(ino, 0, new byte[10]);
        allocate(Credentials.ROOT, ino, FileSystem.FALLOC_KEEP_SIZE, 0, 20 * BLOCK);
        mount.punch(ino, 0, 20 * BLOCK);
        assertThat(mount.stat(ino).sectors).as("but for the page of the end").isEqualTo(32);
        mount.punch(ino, 10 * BLOCK, 10 * BLOCK);
        assertThat(mount.stat(ino).sectors).isEqualTo(32);
    }

    @Test
    void theTreeGrowsOnlyWhenItMust() {
        int ino = mount.create(ROOT, "f");
        for (int block = 0; block < 8; block += 2) {
            mount.write(ino, block * BLOCK, new byte[BLOCK]);
        }
        assertThat(mount.stat(ino).sectors).isEqualTo(8);
        mount.write(ino, 7 * BLOCK, new byte[3 * BLOCK]);
        assertThat(mount.stat(ino).sectors).as("joined to the last extent").isEqualTo(14);
        allocate(Credentials.ROOT, ino, FileSystem.FALLOC_ZERO_RANGE, 0, BLOCK);
        assertThat(mount.stat(ino).sectors)
                .as("a whole extent changes its state")
                .isEqualTo(14);
    }

    @Test
    void extremeTimesHaveNoNanoseconds() {
        int ino = mount.create(ROOT, "f");
        AttributeChange change = new AttributeChange();
        change.atime = MAX_SECONDS;
        change.atimeNanos = 5;
        change.mtime = Integer.MIN_VALUE;
        change.mtimeNanos = 5;
        set(ino, AttributeChange.ATIME | AttributeChange.MTIME, change);
        assertThat(out.atime).isEqualTo(MAX_SECONDS);
        assertThat(out.atimeNanos).isZero();
        assertThat(out.mtimeNanos).isZero();
    }

    @Test
    void readingAtTheEndIsAnAccess() {
        int ino = mount.create(ROOT, "f");
        oldTimes(ino);
        assertThat(mount.fs.read(ino, 5, ByteBuffer.allocate(0))).isZero();
        assertThat(mount.stat(ino).atime).isEqualTo(1000);
        long behindAll = ((1L << 32) - 1) * BLOCK;
        assertThat(mount.fs.read(ino, behindAll, ByteBuffer.allocate(9))).isZero();
        assertThat(mount.stat(ino).atime).isEqualTo(1000);
        assertThat(mount.fs.read(ino, 5, ByteBuffer.allocate(9))).isZero();
        assertThat(mount.stat(ino).atime).isGreaterThan(1000);
    }

    @Test
    void anOffsetThatOverflowsIsInvalid() {
        int ino = mount.create(ROOT, "f");
        assertErrno(Errno.EINVAL, () -> mount.write(ino, Long.MAX_VALUE, new byte[2]));
        assertErrno(Errno.EINVAL, () -> mount.fs.read(ino, Long.MAX_VALUE, ByteBuffer.allocate(2)));
    }

    @Test
    void theSameAttributeAgainChangesNothing() {
        int ino = mount.create(ROOT, "f");
        mount.fs.setxattr(Credentials.ROOT, ino, bytes("user.a"), bytes("v"), 0);
        oldTimes(ino);
        mount.fs.setxattr(Credentials.ROOT, ino, bytes("user.a"), bytes("v"), 0);
        assertThat(mount.stat(ino).ctime).isEqualTo(1000);
        mount.fs.setxattr(Credentials.ROOT, ino, bytes("user.a"), bytes("w"), 0);
        assertThat(mount.stat(ino).ctime).isGreaterThan(1000);
    }

    @Test
    void whichErrorComesFirst() {
        mount.create(ROOT, "f");
        int d = mount.mkdir(ROOT, "d");
        mount.create(d, "g");
        mount.fs.mknod(Credentials.ROOT, ROOT, bytes("p"), 0010644, 0, 0, out);
        int fifo = out.ino;
        byte[] tooLong = bytes("x".repeat(256));
        byte[] target = bytes("t".repeat(BLOCK));
        assertErrno(Errno.ENOENT, () -> mount.fs.rename(Credentials.ROOT, ROOT, bytes("no"), ROOT, tooLong, 0));
        assertErrno(Errno.ENAMETOOLONG, () -> mount.fs.rename(Credentials.ROOT, ROOT, bytes("f"), ROOT, tooLong, 0));
        assertErrno(Errno.ENOTEMPTY, () -> mount.fs.rename(Credentials.ROOT, d, bytes("g"), ROOT, bytes("d"), 0));
        assertErrno(Errno.EEXIST, () -> mount.fs.symlink(Credentials.ROOT, ROOT, bytes("f"), target, out));
        assertErrno(Errno.ENAMETOOLONG, () -> mount.fs.symlink(Credentials.ROOT, ROOT, bytes("s"), target, out));
        assertErrno(Errno.EPERM, () -> mount.fs.setxattr(Credentials.ROOT, fifo, bytes("user."), new byte[1], 0));
        int unknownMode = 0x100;
        assertErrno(Errno.EINVAL, () -> allocate(Credentials.ROOT, fifo, unknownMode, 0, -1));
        assertErrno(Errno.EOPNOTSUPP, () -> allocate(Credentials.ROOT, fifo, unknownMode, 0, 1));
        int file = mount.lookup(ROOT, "f");
        int unshare = 0x40;
        assertErrno(Errno.EFBIG, () -> allocate(Credentials.ROOT, file, unshare, Long.MAX_VALUE, 1));
        assertErrno(Errno.EOPNOTSUPP, () -> allocate(Credentials.ROOT, file, unshare, 0, 1));
    }

    @Test
    void aSizeThatNoFileCanHaveTakesNoCapability() {
        int ino = mount.create(ROOT, "f");
        mount.fs.setxattr(Credentials.ROOT, ino, bytes("security.capability"), new byte[20], 0);
        oldTimes(ino);
        AttributeChange change = new AttributeChange();
        change.size = 1L << 44;
        assertErrno(Errno.EFBIG, () -> set(ino, AttributeChange.SIZE, change));
        assertThat(mount.stat(ino).ctime).isEqualTo(1000);
        assertThat(mount.fs.getxattr(ino, bytes("security.capability"))).hasSize(20);
    }

    /** The limit is the filesystem's, though a block map ends long before. */
    @Test
    void punchingFarBehindTheEndOfABlockMapModifies() {
        unmount();
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "" + BLOCK, "-O", "^extent,^64bit");
        mount = new TestMount(image, "sharded", MountOptions.DEFAULTS);
        int ino = mount.create(ROOT, "f");
        oldTimes(ino);
        int punch = FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE;
        long last = ((1L << 32) - 2) * BLOCK;
        allocate(Credentials.ROOT, ino, punch, last, BLOCK);
        assertThat(mount.stat(ino).mtime).isGreaterThan(1000);
        assertErrno(Errno.EFBIG, () -> allocate(Credentials.ROOT, ino, punch, last, BLOCK + 1));
        assertErrno(Errno.EOPNOTSUPP, () -> allocate(Credentials.ROOT, ino, 0, last, BLOCK));
    }

    @Test
    void aDirectoryOfOneBlockIsSplitWhenItGetsItsIndex() {
        int d = mount.mkdir(ROOT, "d");
        for (int i = 0; i < 21; i++) {
            mount.create(d, String.format("%037d", i));
        }
        assertThat(mount.stat(d).size).isEqualTo(3 * BLOCK);
    }
}
