// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory of mmap(2), readable and writable. Any thread may use it. After {@link #close} it must not be touched: nothing
 * checks that.
 */
public final class Mapping {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_POPULATE = 0x8000;
    private static final MethodHandle MMAP = Functions.plain(
            "mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
            Functions.plain("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    private final MemorySegment memory;

    private Mapping(MemorySegment memory) {
        this.memory = memory;
    }

    /** Zeros of this process alone, which take up memory only as far as they are written to. */
    public static Mapping anonymous(SystemCalls calls, long bytes) {
        return map(calls, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }

    /** All that a {@link MemoryFile} has; other processes that map it see what this one writes. */
    public static Mapping file(SystemCalls calls, long bytes, int fd) {
        return map(calls, bytes, MAP_SHARED | MAP_NORESERVE, fd, 0);
    }

    /** What the kernel shows behind a descriptor. */
    static Mapping shared(SystemCalls calls, long bytes, int fd, long offset) {
        return map(calls, bytes, MAP_SHARED | MAP_POPULATE, fd, offset);
    }

    private static Mapping map(SystemCalls calls, long bytes, int flags, int fd, long offset) {
        try {
            MemorySegment at = (MemorySegment)
                    MMAP.invokeExact(calls.state(), MemorySegment.NULL, bytes, PROT_READ_WRITE, flags, fd, offset);
            if (at.address() == -1) {
                throw new IllegalStateException("mmap: " + Linux.errorText(-calls.checked(-1)));
            }
            return new Mapping(at.reinterpret(bytes));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** The memory itself. */
    public MemorySegment memory() {
        return memory;
    }

    /** munmap(2). */
    public void close(SystemCalls calls) {
        try {
            int result = calls.checked((int) MUNMAP.invokeExact(calls.state(), memory, memory.byteSize()));
            if (result < 0) {
                throw new IllegalStateException("munmap: " + Linux.errorText(-result));
            }
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }
}
