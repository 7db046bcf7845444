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
 * Memory with a descriptor, which lives as long as any process has one: memfd_create(2). It takes up room only as far as it
 * is written to. Calls come with the caller's own {@link SystemCalls}; results are those of the man page, or the negative
 * error number.
 */
public final class MemoryFile {
    private static final int MFD_CLOEXEC = 1;
    private static final int F_SETFD = 2;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int FD_CLOEXEC = 1;
    private static final int SEEK_END = 2;
    private static final int SEEK_DATA = 3;

    private static final MethodHandle MEMFD_CREATE =
            Functions.plain("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            Functions.plain("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LSEEK =
            Functions.plain("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PREAD =
            Functions.plain("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FCNTL =
            Functions.variadic("fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private MemoryFile() {}

    /** The descriptor of a new one of {@code bytes} zeros, which other programs do not inherit. */
    public static int create(SystemCalls calls, String name, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            int fd =
                    calls.checked((int) MEMFD_CREATE.invokeExact(calls.state(), arena.allocateFrom(name), MFD_CLOEXEC));
            if (fd < 0) {
                return fd;
            }
            int result = calls.checked((int) FTRUNCATE.invokeExact(calls.state(), fd, bytes));
            if (result < 0) {
                calls.close(fd);
                return result;
            }
            return fd;
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Its size in bytes; moves the descriptor's position. */
    public static long size(SystemCalls calls, int fd) {
        return seek(calls, fd, 0, SEEK_END);
    }

    /** Where the first byte at or after {@code offset} lies that was written to, ENXIO if there is none. */
    public static long data(SystemCalls calls, int fd, long offset) {
        return seek(calls, fd, offset, SEEK_DATA);
    }

    /** pread(2) into all of {@code buffer}: the number of bytes read. Unlike a look at a mapping it takes up no memory. */
    public static long read(SystemCalls calls, int fd, long offset, MemorySegment buffer) {
        try {
            return calls.checked((long) PREAD.invokeExact(calls.state(), fd, buffer, buffer.byteSize(), offset));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Another descriptor of the same open file, not inherited by other programs. */
    public static int duplicate(SystemCalls calls, int fd) {
        return control(calls, fd, F_DUPFD_CLOEXEC, 0);
    }

    /** Has other programs not inherit a descriptor that this one did. */
    public static int closeOnExec(SystemCalls calls, int fd) {
        return control(calls, fd, F_SETFD, FD_CLOEXEC);
    }

    private static int control(SystemCalls calls, int fd, int command, int argument) {
        try {
            return calls.checked((int) FCNTL.invokeExact(calls.state(), fd, command, argument));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    private static long seek(SystemCalls calls, int fd, long offset, int whence) {
        try {
            return calls.checked((long) LSEEK.invokeExact(calls.state(), fd, offset, whence));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }
}
