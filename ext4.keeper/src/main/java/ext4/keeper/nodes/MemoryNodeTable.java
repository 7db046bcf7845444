// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.nodes;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.api.keep.NodeTable;
import ext4.sys.Linux;
import ext4.sys.Mapping;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * One long for each inode number of the filesystem in a {@link MemoryFile}: the generation in its upper half, the count in
 * its lower. Memory is used for the pages of numbers that were ever known only. Both change in one atomic step, so a process
 * that is killed between any two instructions leaves a table that can be used as it is.
 *
 * <p>A count that reaches 2^32-1 stays there: the inode is known until the mount ends.
 */
public final class MemoryNodeTable implements NodeTable {
    private static final VarHandle WORDS = JAVA_LONG.arrayElementVarHandle();
    private static final long MOST = 0xFFFF_FFFFL;
    private static final int HALF = 32;
    private static final int ROOT = 2;
    private static final int STEP_WORDS = 8192;

    private final int fd;
    private final Mapping mapping;
    private final MemorySegment memory;

    private MemoryNodeTable(int fd, Mapping mapping) {
        this.fd = fd;
        this.mapping = mapping;
        memory = mapping.memory();
    }

    /** An empty one for inode numbers up to {@code inodes}. */
    public static MemoryNodeTable create(SystemCalls calls, long inodes) {
        long bytes = bytes(inodes);
        int fd = MemoryFile.create(calls, "ext4 nodes", bytes);
        if (fd < 0) {
            throw new DeviceException("no memory for the table of nodes: " + Linux.errorText(-fd));
        }
        return map(calls, fd, bytes);
    }

    /** The one behind a descriptor, which is this table's from now on. */
    public static MemoryNodeTable open(SystemCalls calls, int fd) {
        long bytes = MemoryFile.size(calls, fd);
        if (bytes < Long.BYTES || bytes % Long.BYTES != 0) {
            throw new DeviceException("what was kept as the table of nodes is none: it has " + bytes + " bytes");
        }
        return map(calls, fd, bytes);
    }

    private static MemoryNodeTable map(SystemCalls calls, int fd, long bytes) {
        try {
            return new MemoryNodeTable(fd, Mapping.file(calls, bytes, fd));
        } catch (IllegalStateException e) {
            calls.close(fd);
            throw new DeviceException("the table of nodes: " + e.getMessage(), e);
        }
    }

    /** Numbers up to this have a place in it. */
    public long inodes() {
        return memory.byteSize() / Long.BYTES - 1;
    }

    private static long bytes(long inodes) {
        return Math.multiplyExact(Math.addExact(inodes, 1), Long.BYTES);
    }

    /** Of the memory. */
    public int descriptor() {
        return fd;
    }

    @Override
    public void raise(int ino, int generation) {
        long index = Integer.toUnsignedLong(ino);
        long seen;
        long next;
        do {
            seen = (long) WORDS.getVolatile(memory, 0L, index);
            // a number that is used again may have givings back on the way that were counted for the inode before
            long count = Math.min(MOST, (seen & MOST) + 1);
            next = (long) generation << HALF | count;
        } while (!WORDS.compareAndSet(memory, 0L, index, seen, next));
    }

    @Override
    public void lower(int ino, long count) {
        long index = Integer.toUnsignedLong(ino);
        long seen;
        long next;
        do {
            seen = (long) WORDS.getVolatile(memory, 0L, index);
            long known = seen & MOST;
            if (known == MOST) {
                return;
            }
            next = count < 0 || count >= known ? 0 : seen - count;
        } while (!WORDS.compareAndSet(memory, 0L, index, seen, next));
    }

    @Override
    public PinnedInodes pinned() {
        PinnedInodes pinned = new PinnedInodes(STEP_WORDS);
        long size = memory.byteSize();
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            MemorySegment buffer = arena.allocate(JAVA_LONG, STEP_WORDS);
            long at = nextData(calls, 0);
            while (at >= 0 && at < size) {
                MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), size - at));
                long count = MemoryFile.read(calls, fd, at, part);
                if (count <= 0) {
                    throw new DeviceException("the table of nodes can't be read: " + Linux.errorText((int) -count));
                }
                collect(part, count / Long.BYTES, at / Long.BYTES, pinned);
                at = nextData(calls, at + count);
            }
        }
        return pinned;
    }

    /** Where the next page begins that was written to, or a negative number. */
    private long nextData(SystemCalls calls, long from) {
        long at = MemoryFile.data(calls, fd, from);
        if (at < 0 && at != -Linux.ENXIO) {
            throw new DeviceException("the table of nodes can't be read: " + Linux.errorText((int) -at));
        }
        return at;
    }

    private static void collect(MemorySegment part, long words, long first, PinnedInodes pinned) {
        for (long i = 0; i < words; i++) {
            long word = part.getAtIndex(JAVA_LONG, i);
            if ((word & MOST) != 0 && first + i != ROOT) {
                pinned.add((int) (first + i), (int) (word >>> HALF), word & MOST, false);
            }
        }
    }

    /** Gives memory and descriptor back. Nobody uses it any more. */
    public void close(SystemCalls calls) {
        mapping.close(calls);
        calls.close(fd);
    }
}
