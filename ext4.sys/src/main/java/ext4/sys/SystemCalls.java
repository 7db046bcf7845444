// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;

/**
 * System calls of one thread: an instance holds the place where the error number of the last call is caught, so no two
 * threads may use one at once. Results are those of the man page, or the negative error number.
 */
public final class SystemCalls {
    /** open(2): read and write. */
    public static final int O_RDWR = 2;
    /** open(2): calls return EAGAIN instead of waiting. */
    public static final int O_NONBLOCK = 0x800;
    /** open(2): not inherited by other programs. */
    public static final int O_CLOEXEC = 0x80000;
    /** eventfd(2): not inherited by other programs. */
    public static final int EFD_CLOEXEC = 0x80000;
    /** eventfd(2): calls return EAGAIN instead of waiting. */
    public static final int EFD_NONBLOCK = 0x800;
    /** mount(2): read-only. */
    public static final long MS_RDONLY = 1;
    /** umount2(2): detach now, clean up when it is no longer used. */
    public static final int MNT_DETACH = 2;

    private static final Charset FILE_NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final MemorySegment state;

    /** @param arena lives at least as long as this object; confined to the calling thread is best */
    public SystemCalls(Arena arena) {
        state = arena.allocate(Functions.STATE);
    }

    /** open(2) of an existing file. */
    public int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return checked((int) Functions.OPEN.invokeExact(state, string(arena, path), flags, 0));
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

    /** read(2) of up to {@code count} bytes into the beginning of {@code buffer}. May block. */
    public long read(int fd, MemorySegment buffer, long count) {
        checkCount(buffer, count);
        try {
            return checked((long) Functions.READ.invokeExact(state, fd, buffer, count));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** write(2) of {@code count} bytes from the beginning of {@code buffer}. May block. */
    public long write(int fd, MemorySegment buffer, long count) {
        checkCount(buffer, count);
        try {
            return checked((long) Functions.WRITE.invokeExact(state, fd, buffer, count));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** ioctl(2) with a pointer argument. */
    public int ioctl(int fd, long request, MemorySegment argument) {
        try {
            return checked((int) Functions.IOCTL.invokeExact(state, fd, request, argument));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** mount(2). */
    public int mount(String source, String target, String type, long flags, String data) {
        try (Arena arena = Arena.ofConfined()) {
            return checked((int) Functions.MOUNT.invokeExact(
                    state,
                    string(arena, source),
                    string(arena, target),
                    string(arena, type),
                    flags,
                    string(arena, data)));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** umount2(2). */
    public int umount(String target, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return checked((int) Functions.UMOUNT2.invokeExact(state, string(arena, target), flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** eventfd(2). */
    public int eventfd(int initial, int flags) {
        try {
            return checked((int) Functions.EVENTFD.invokeExact(state, initial, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** geteuid(2). */
    public int effectiveUser() {
        try {
            return (int) Functions.GETEUID.invokeExact(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** getegid(2). */
    public int effectiveGroup() {
        try {
            return (int) Functions.GETEGID.invokeExact(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int epollCreate(int flags) {
        try {
            return checked((int) Functions.EPOLL_CREATE1.invokeExact(state, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        try {
            return checked((int) Functions.EPOLL_CTL.invokeExact(state, epoll, operation, fd, event));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int epollWait(int epoll, MemorySegment events, int max, int timeoutMillis) {
        try {
            return checked((int) Functions.EPOLL_WAIT.invokeExact(state, epoll, events, max, timeoutMillis));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Where errno is caught: the first argument of every function. */
    MemorySegment state() {
        return state;
    }

    int checked(int result) {
        return result >= 0 ? result : -(int) Functions.ERRNO.get(state, 0L);
    }

    long checked(long result) {
        return result >= 0 ? result : -(int) Functions.ERRNO.get(state, 0L);
    }

    private static void checkCount(MemorySegment buffer, long count) {
        if (count < 0 || count > buffer.byteSize()) {
            throw new IndexOutOfBoundsException(count + " bytes of a buffer of " + buffer.byteSize());
        }
    }

    private static MemorySegment string(Arena arena, String text) {
        return arena.allocateFrom(text, FILE_NAMES);
    }

    /** A downcall throws nothing checked. */
    static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
