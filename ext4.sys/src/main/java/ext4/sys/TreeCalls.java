// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * System calls on files by directory descriptor and by name as bytes: what a faithful copy of a tree needs and
 * {@code java.nio.file} lacks. Names are bytes without NUL. Results are those of the man page, or the negative error
 * number. An instance belongs to the thread that made it.
 */
public final class TreeCalls implements AutoCloseable {
    /** Names are relative to the working directory. */
    public static final int AT_FDCWD = -100;
    /** unlinkat(2): a directory. */
    public static final int AT_REMOVEDIR = 0x200;

    private static final boolean ARM = System.getProperty("os.arch").startsWith("aarch64");
    /** open(2): write only. */
    public static final int O_WRONLY = 1;
    /** open(2): read and write. */
    public static final int O_RDWR = 2;
    /** open(2): make it. */
    public static final int O_CREAT = 0x40;
    /** open(2): fail if it exists. */
    public static final int O_EXCL = 0x80;
    /** open(2): of no length. */
    public static final int O_TRUNC = 0x200;
    /** open(2): each write goes to the end. */
    public static final int O_APPEND = 0x400;
    /** open(2): don't wait for the other end of a fifo. */
    public static final int O_NONBLOCK = 0x800;
    /** open(2): fail unless it is a directory. */
    public static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    /** open(2): fail if it is a symbolic link. */
    public static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    /** open(2): past the kernel's page cache; buffer, offset and length are aligned. */
    public static final int O_DIRECT = ARM ? 0x10000 : 0x4000;
    /** open(2): only to name what is in it. */
    public static final int O_PATH = 0x200000;

    /** open(2): a file without a name in the directory that is named. */
    public static final int O_TMPFILE = 0x400000 | O_DIRECTORY;

    private static final int O_CLOEXEC = 0x80000;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_SYMLINK_FOLLOW = 0x400;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int SEEK_SET = 0;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int NAME_ROOM = 1 << 16;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = arena.allocate(Functions.STATE);
    private final MemorySegment statx = arena.allocate(FileStatus.STATX_SIZE, 8);
    private final MemorySegment times = arena.allocate(JAVA_LONG, 4);
    private final MemorySegment names = arena.allocate(NAME_ROOM + 1);
    private final MemorySegment otherNames = arena.allocate(NAME_ROOM + 1);
    private final MemorySegment empty = arena.allocate(1);

    /** A downcall that returns the C function's result. */
    @FunctionalInterface
    interface Downcall {
        long run() throws Throwable;
    }

    /** openat(2); the descriptor isn't inherited by other programs. */
    public int open(int dir, byte[] name, int flags, int mode) {
        MemorySegment path = c(names, name);
        return (int) call(() -> (int) TreeFunctions.OPENAT.invokeExact(state, dir, path, flags | O_CLOEXEC, mode));
    }

    /** close(2). */
    public int close(int fd) {
        return (int) call(() -> (int) TreeFunctions.CLOSE.invokeExact(state, fd));
    }

    /** statx(2) of a name, links not followed; null if it fails, and then {@link #errno} tells why. */
    public FileStatus stat(int dir, byte[] name) {
        return stat(dir, c(names, name), AT_SYMLINK_NOFOLLOW);
    }

    /** statx(2) of a name, links followed; null as in {@link #stat}. */
    public FileStatus statFollowing(int dir, byte[] name) {
        return stat(dir, c(names, name), 0);
    }

    /** fstat(2), also of an O_PATH descriptor; null as in {@link #stat}. */
    public FileStatus stat(int fd) {
        return stat(fd, empty, AT_EMPTY_PATH);
    }

    private FileStatus stat(int dir, MemorySegment path, int flags) {
        long result = call(
                () -> (int) TreeFunctions.STATX.invokeExact(state, dir, path, flags, FileStatus.STATX_BASIC, statx));
        return result < 0 ? null : FileStatus.of(statx);
    }

    /** The error number of the call that failed last. */
    public int errno() {
        return (int) Functions.ERRNO.get(state, 0L);
    }

    /** getdents64(2) into {@code buffer}; the bytes filled, 0 at the end. */
    public int entries(int fd, DirectoryEntries buffer) {
        int count = (int) call(() ->
                (long) TreeFunctions.GETDENTS64.invokeExact(state, fd, buffer.segment, buffer.segment.byteSize()));
        buffer.filled(Math.max(count, 0));
        return count;
    }

    /** mkdirat(2). */
    public int mkdir(int dir, byte[] name, int mode) {
        MemorySegment path = c(names, name);
        return (int) call(() -> (int) TreeFunctions.MKDIRAT.invokeExact(state, dir, path, mode));
    }

    /** mknodat(2). */
    public int mknod(int dir, byte[] name, int mode, int major, int minor) {
        MemorySegment path = c(names, name);
        long device = (long) (major & 0xFFF) << 8
                | (long) (major & ~0xFFF) << 32
                | minor & 0xFF
                | (minor & 0xFFFFFF00L) << 12;
        return (int) call(() -> (int) TreeFunctions.MKNODAT.invokeExact(state, dir, path, mode, device));
    }

    /** symlinkat(2). */
    public int symlink(byte[] target, int dir, byte[] name) {
        MemorySegment path = c(names, name);
        MemorySegment to = c(otherNames, target);
        return (int) call(() -> (int) TreeFunctions.SYMLINKAT.invokeExact(state, to, dir, path));
    }

    /** linkat(2); a symbolic link itself gets another name. */
    public int link(int fromDir, byte[] from, int dir, byte[] name) {
        MemorySegment path = c(names, name);
        MemorySegment old = c(otherNames, from);
        return (int) call(() -> (int) TreeFunctions.LINKAT.invokeExact(state, fromDir, old, dir, path, 0));
    }

    /** linkat(2) of an open file, which may have no name yet. */
    public int link(int fd, int dir, byte[] name) {
        MemorySegment path = c(names, name);
        MemorySegment old = c(otherNames, ("/proc/self/fd/" + fd).getBytes(StandardCharsets.US_ASCII));
        return (int)
                call(() -> (int) TreeFunctions.LINKAT.invokeExact(state, AT_FDCWD, old, dir, path, AT_SYMLINK_FOLLOW));
    }

    /** renameat2(2); flags as there, 1 is RENAME_NOREPLACE, 2 RENAME_EXCHANGE. */
    public int rename(int fromDir, byte[] from, int dir, byte[] name, int flags) {
        MemorySegment path = c(names, name);
        MemorySegment old = c(otherNames, from);
        return (int) call(() -> (int) TreeFunctions.RENAMEAT2.invokeExact(state, fromDir, old, dir, path, flags));
    }

    /** unlinkat(2). */
    public int unlink(int dir, byte[] name, int flags) {
        MemorySegment path = c(names, name);
        return (int) call(() -> (int) TreeFunctions.UNLINKAT.invokeExact(state, dir, path, flags));
    }

    /** readlinkat(2): the target, or null if it fails ({@link #errno}). */
    public byte[] readlink(int dir, byte[] name) {
        MemorySegment path = c(names, name);
        long count =
                call(() -> (long) TreeFunctions.READLINKAT.invokeExact(state, dir, path, otherNames, (long) NAME_ROOM));
        return count < 0 ? null : otherNames.asSlice(0, count).toArray(JAVA_BYTE);
    }

    /** fchownat(2) of a name, links not followed. */
    public int chown(int dir, byte[] name, int uid, int gid) {
        MemorySegment path = c(names, name);
        return (int)
                call(() -> (int) TreeFunctions.FCHOWNAT.invokeExact(state, dir, path, uid, gid, AT_SYMLINK_NOFOLLOW));
    }

    /** fchown(2). */
    public int chown(int fd, int uid, int gid) {
        return (int) call(() -> (int) TreeFunctions.FCHOWNAT.invokeExact(state, fd, empty, uid, gid, AT_EMPTY_PATH));
    }

    /** fchmod(2). */
    public int chmod(int fd, int mode) {
        return (int) call(() -> (int) TreeFunctions.FCHMOD.invokeExact(state, fd, mode));
    }

    /** chmod(2) of a path; only for what is known to be no symbolic link. */
    public int chmod(byte[] name, int mode) {
        MemorySegment path = c(names, name);
        return (int) call(() -> (int) TreeFunctions.CHMOD.invokeExact(state, path, mode));
    }

    /** utimensat(2) of a name, links not followed. */
    public int setTimes(int dir, byte[] name, long atime, int atimeNanos, long mtime, int mtimeNanos) {
        MemorySegment path = c(names, name);
        fillTimes(atime, atimeNanos, mtime, mtimeNanos);
        return (int)
                call(() -> (int) TreeFunctions.UTIMENSAT.invokeExact(state, dir, path, times, AT_SYMLINK_NOFOLLOW));
    }

    /** futimens(2). */
    public int setTimes(int fd, long atime, int atimeNanos, long mtime, int mtimeNanos) {
        fillTimes(atime, atimeNanos, mtime, mtimeNanos);
        return (int) call(() -> (int) TreeFunctions.FUTIMENS.invokeExact(state, fd, times));
    }

    private void fillTimes(long atime, int atimeNanos, long mtime, int mtimeNanos) {
        times.setAtIndex(JAVA_LONG, 0, atime);
        times.setAtIndex(JAVA_LONG, 1, atimeNanos);
        times.setAtIndex(JAVA_LONG, 2, mtime);
        times.setAtIndex(JAVA_LONG, 3, mtimeNanos);
    }

    /** pread(2) into a direct buffer, whose position moves; at a negative offset read(2). */
    public int read(int fd, ByteBuffer dst, long offset) {
        MemorySegment segment = MemorySegment.ofBuffer(dst);
        long size = segment.byteSize();
        int count = (int) call(() -> offset < 0
                ? (long) TreeFunctions.READ.invokeExact(state, fd, segment, size)
                : (long) TreeFunctions.PREAD.invokeExact(state, fd, segment, size, offset));
        dst.position(dst.position() + Math.max(count, 0));
        return count;
    }

    /** pwrite(2) from a direct buffer, whose position moves; at a negative offset write(2). */
    public int write(int fd, ByteBuffer src, long offset) {
        MemorySegment segment = MemorySegment.ofBuffer(src);
        long size = segment.byteSize();
        int count = (int) call(() -> offset < 0
                ? (long) TreeFunctions.WRITE.invokeExact(state, fd, segment, size)
                : (long) TreeFunctions.PWRITE.invokeExact(state, fd, segment, size, offset));
        src.position(src.position() + Math.max(count, 0));
        return count;
    }

    /** lseek(2) with SEEK_DATA. */
    public long seekData(int fd, long offset) {
        return call(() -> (long) TreeFunctions.LSEEK.invokeExact(state, fd, offset, SEEK_DATA));
    }

    /** lseek(2) with SEEK_HOLE. */
    public long seekHole(int fd, long offset) {
        return call(() -> (long) TreeFunctions.LSEEK.invokeExact(state, fd, offset, SEEK_HOLE));
    }

    /** lseek(2) with SEEK_SET, for a directory to a position that {@link DirectoryEntries} told. */
    public long seek(int fd, long offset) {
        return call(() -> (long) TreeFunctions.LSEEK.invokeExact(state, fd, offset, SEEK_SET));
    }

    /** ftruncate(2). */
    public int setSize(int fd, long size) {
        return (int) call(() -> (int) TreeFunctions.FTRUNCATE.invokeExact(state, fd, size));
    }

    /** truncate(2) of a path; links are followed. */
    public int truncate(byte[] name, long size) {
        MemorySegment path = c(names, name);
        return (int) call(() -> (int) TreeFunctions.TRUNCATE.invokeExact(state, path, size));
    }

    /** fallocate(2); modes as there. */
    public int allocate(int fd, int mode, long offset, long length) {
        return (int) call(() -> (int) TreeFunctions.FALLOCATE.invokeExact(state, fd, mode, offset, length));
    }

    /** fsync(2). */
    public int sync(int fd) {
        return (int) call(() -> (int) TreeFunctions.FSYNC.invokeExact(state, fd));
    }

    /** isatty(3). */
    public boolean isTerminal(int fd) {
        return call(() -> (int) TreeFunctions.ISATTY.invokeExact(state, fd)) == 1;
    }

    MemorySegment state() {
        return state;
    }

    /** The result, or the negative error number where it is -1. */
    long call(Downcall downcall) {
        try {
            long result = downcall.run();
            return result >= 0 ? result : -errno();
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // a downcall throws nothing checked
        }
    }

    /** A C string; ENAMETOOLONG of any call is reached long before there is no room for it. */
    static MemorySegment c(MemorySegment room, byte[] name) {
        if (name.length >= room.byteSize()) {
            throw new IllegalArgumentException("a name of " + name.length + " bytes");
        }
        for (byte b : name) {
            if (b == 0) {
                throw new IllegalArgumentException("a name with a NUL in it");
            }
        }
        MemorySegment.copy(name, 0, room, JAVA_BYTE, 0, name.length);
        room.set(JAVA_BYTE, name.length, (byte) 0);
        return room;
    }

    @Override
    public void close() {
        arena.close();
    }
}
