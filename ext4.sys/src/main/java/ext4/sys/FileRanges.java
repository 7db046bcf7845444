// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * System calls on ranges of open files: how they are mapped, copies made by the kernel, what it keeps in memory. Results are
 * those of the man page, or the negative error number. Belongs to the thread of its {@link TreeCalls}.
 */
public final class FileRanges implements AutoCloseable {
    /** linux/fs.h: FICLONE, FS_IOC_GETFLAGS, FS_IOC_FIEMAP. */
    private static final long FICLONE = 0x4004_9409L;

    private static final long GETFLAGS = 0x8008_6601L;
    private static final long FIEMAP = 0xC020_660BL;
    private static final int FIEMAP_FLAG_SYNC = 1;
    private static final int FIEMAP_EXTENT_LAST = 1;
    private static final int FIEMAP_EXTENT_UNWRITTEN = 0x800;
    /** struct fiemap, and struct fiemap_extent behind it. */
    private static final int HEAD = 32;

    private static final int EXTENT = 56;
    private static final int EXTENTS = 128;
    private static final int EXTENT_PHYSICAL = 8;
    private static final int EXTENT_LENGTH = 16;
    private static final int EXTENT_FLAGS = 40;
    private static final int POSIX_FADV_DONTNEED = 4;

    private static final MethodHandle COPY_FILE_RANGE = Functions.plain(
            "copy_file_range",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FADVISE =
            Functions.plain("posix_fadvise", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private final TreeCalls calls;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment map = arena.allocate(HEAD + (long) EXTENT * EXTENTS, Long.BYTES);
    private final MemorySegment offsets = arena.allocate(JAVA_LONG, 2);

    /** Beside these calls. */
    public FileRanges(TreeCalls calls) {
        this.calls = calls;
    }

    /**
     * A run of blocks that a file has.
     *
     * @param offset where it begins in the file, bytes
     * @param physical where it begins on the device, bytes
     * @param length bytes
     * @param unwritten allocated, but reading as zeros
     */
    public record Extent(long offset, long physical, long length, boolean unwritten) {}

    /** FS_IOC_FIEMAP of the whole file, written to the device before. Null if it fails. */
    public List<Extent> map(int fd) {
        List<Extent> found = new ArrayList<>();
        long start = 0;
        while (true) {
            map.asSlice(0, HEAD).fill((byte) 0);
            map.set(JAVA_LONG, 0, start);
            map.set(JAVA_LONG, 8, -1L);
            map.set(JAVA_INT, 16, FIEMAP_FLAG_SYNC);
            map.set(JAVA_INT, 24, EXTENTS);
            if (calls.call(() -> (int) Functions.IOCTL.invokeExact(calls.state(), fd, FIEMAP, map)) < 0) {
                return null;
            }
            int count = map.get(JAVA_INT, 20);
            for (int i = 0; i < count; i++) {
                long at = HEAD + (long) i * EXTENT;
                long offset = map.get(JAVA_LONG, at);
                long length = map.get(JAVA_LONG, at + EXTENT_LENGTH);
                int flags = map.get(JAVA_INT, at + EXTENT_FLAGS);
                found.add(new Extent(
                        offset,
                        map.get(JAVA_LONG, at + EXTENT_PHYSICAL),
                        length,
                        (flags & FIEMAP_EXTENT_UNWRITTEN) != 0));
                start = offset + length;
                if ((flags & FIEMAP_EXTENT_LAST) != 0) {
                    return found;
                }
            }
            if (count == 0) {
                return found;
            }
        }
    }

    /** FS_IOC_GETFLAGS: the flags of chattr(1). */
    public long flags(int fd) {
        offsets.set(JAVA_LONG, 0, 0);
        long result = calls.call(() -> (int) Functions.IOCTL.invokeExact(calls.state(), fd, GETFLAGS, offsets));
        return result < 0 ? result : Integer.toUnsignedLong(offsets.get(JAVA_INT, 0));
    }

    /** copy_file_range(2) with both offsets given. */
    public long copy(int from, long fromOffset, int to, long toOffset, long length) {
        offsets.setAtIndex(JAVA_LONG, 0, fromOffset);
        offsets.setAtIndex(JAVA_LONG, 1, toOffset);
        MemorySegment second = offsets.asSlice(Long.BYTES);
        return calls.call(
                () -> (long) COPY_FILE_RANGE.invokeExact(calls.state(), from, offsets, to, second, length, 0));
    }

    /** FICLONE: {@code to} shares the blocks of {@code from}. */
    public long share(int from, int to) {
        MemorySegment argument = MemorySegment.ofAddress(from);
        return calls.call(() -> (int) Functions.IOCTL.invokeExact(calls.state(), to, FICLONE, argument));
    }

    /** posix_fadvise(2), POSIX_FADV_DONTNEED: what is written of the file need not stay in memory. */
    public long forget(int fd) {
        return -calls.call(() -> (int) FADVISE.invokeExact(calls.state(), fd, 0L, 0L, POSIX_FADV_DONTNEED));
    }

    @Override
    public void close() {
        arena.close();
    }
}
