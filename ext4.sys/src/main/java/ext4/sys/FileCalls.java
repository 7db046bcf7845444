// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls on files by directory descriptor and name, for a load that must cost next to nothing itself. An instance
 * belongs to one thread. Names are NUL-terminated segments, which a caller makes once. Results are those of the man page,
 * or the negative error number.
 */
public final class FileCalls {
    /** open(2): write only. */
    public static final int O_WRONLY = 1;
    /** open(2): make the file if it is not there. */
    public static final int O_CREAT = 0x40;
    /** open(2): EEXIST if it is there. */
    public static final int O_EXCL = 0x80;
    /** open(2): only a directory. */
    public static final int O_DIRECTORY =
            System.getProperty("os.arch").equals("aarch64") ? 0x4000 : 0x10000; // asm/fcntl.h
    /** unlinkat(2): remove a directory. */
    public static final int AT_REMOVEDIR = 0x200;
    /** In place of a directory's descriptor: the working directory, for absolute names. */
    public static final int AT_FDCWD = -100;
    /** Bytes of struct statx. */
    public static final int STATX_BYTES = 256;

    private static final int STATX_BASIC_STATS = 0x7FF;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int SEEK_SET = 0;
    /** struct statvfs of the C library on 64-bit Linux. */
    private static final int STATVFS_BYTES = 112;

    private static final int STATVFS_FILES = 40;
    private static final int STATVFS_FFREE = 48;

    private static final MethodHandle OPENAT =
            Functions.variadic("openat", 3, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle UNLINKAT =
            Functions.plain("unlinkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle MKDIRAT =
            Functions.plain("mkdirat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FCHOWN =
            Functions.plain("fchown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle FSYNC = Functions.plain("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle LSEEK =
            Functions.plain("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETDENTS64 =
            Functions.plain("getdents64", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle STATX =
            Functions.plain("statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle STATVFS =
            Functions.plain("statvfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

    private final MemorySegment state;
    private final MemorySegment statvfs;

    /** @param arena lives at least as long as this object */
    public FileCalls(Arena arena) {
        state = arena.allocate(Functions.STATE);
        statvfs = arena.allocate(STATVFS_BYTES, Long.BYTES);
    }

    /** openat(2): a descriptor. */
    public int open(int directory, MemorySegment name, int flags, int mode) {
        try {
            return checked((int) OPENAT.invokeExact(state, directory, name, flags, mode));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** close(2). */
    public int close(int fd) {
        try {
            return checked((int) Functions.CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** unlinkat(2) of a file (flags 0) or a directory ({@link #AT_REMOVEDIR}). */
    public int unlink(int directory, MemorySegment name, int flags) {
        try {
            return checked((int) UNLINKAT.invokeExact(state, directory, name, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** mkdirat(2). */
    public int mkdir(int directory, MemorySegment name, int mode) {
        try {
            return checked((int) MKDIRAT.invokeExact(state, directory, name, mode));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** fchown(2). */
    public int fchown(int fd, int uid, int gid) {
        try {
            return checked((int) FCHOWN.invokeExact(state, fd, uid, gid));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** fsync(2). */
    public int fsync(int fd) {
        try {
            return checked((int) FSYNC.invokeExact(state, fd));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** lseek(2) of a directory to its beginning. */
    public long rewind(int fd) {
        try {
            return checked((long) LSEEK.invokeExact(state, fd, 0L, SEEK_SET));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** getdents64(2): bytes of struct linux_dirent64 put into {@code buffer}, 0 at the end. */
    public long getdents(int fd, MemorySegment buffer) {
        try {
            return checked((long) GETDENTS64.invokeExact(state, fd, buffer, buffer.byteSize()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** statx(2) of a name, of a symbolic link itself: what stat(2) gives. {@code buffer} has {@link #STATX_BYTES}. */
    public int stat(int directory, MemorySegment name, MemorySegment buffer) {
        if (buffer.byteSize() < STATX_BYTES) {
            throw new IndexOutOfBoundsException("struct statx in a buffer of " + buffer.byteSize());
        }
        try {
            return checked(
                    (int) STATX.invokeExact(state, directory, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, buffer));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Inodes in use on the filesystem that {@code path} lies on, by statvfs(3). */
    public long usedInodes(MemorySegment path) {
        try {
            int result = checked((int) STATVFS.invokeExact(state, path, statvfs));
            return result < 0 ? result : statvfs.get(JAVA_LONG, STATVFS_FILES) - statvfs.get(JAVA_LONG, STATVFS_FFREE);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private int checked(int result) {
        return result >= 0 ? result : -(int) Functions.ERRNO.get(state, 0L);
    }

    private long checked(long result) {
        return result >= 0 ? result : -(int) Functions.ERRNO.get(state, 0L);
    }

    /** A downcall throws nothing checked. */
    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
