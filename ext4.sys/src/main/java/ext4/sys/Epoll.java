// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Waits until one of several descriptors can be read, see epoll(7). Belongs to one thread.
 *
 * <p>Many threads can wait for one thing, each with its own epoll, and one of them is woken: poll(2) would wake all.
 */
public final class Epoll implements AutoCloseable {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLLIN = 1;
    private static final int EPOLLEXCLUSIVE = 1 << 28;
    private static final int MAX_EVENTS = 8;
    /** The kernel packs struct epoll_event on x86-64 only. */
    private static final boolean PACKED = System.getProperty("os.arch").matches("amd64|x86_64");

    private static final int DATA_OFFSET = PACKED ? 4 : 8;
    private static final int EVENT_SIZE = PACKED ? 12 : 16;

    private final SystemCalls calls;
    private final MemorySegment events;
    private final int fd;

    /** @throws IllegalStateException naming the error number if the kernel gives no epoll descriptor */
    public Epoll(SystemCalls calls, Arena arena) {
        this.calls = calls;
        this.events = arena.allocate((long) MAX_EVENTS * EVENT_SIZE, 8);
        this.fd = calls.epollCreate(EPOLL_CLOEXEC);
        if (fd < 0) {
            throw new IllegalStateException("epoll_create1: errno " + -fd);
        }
    }

    /**
     * Waits for {@code watched} from now on.
     *
     * @param exclusive of several epolls that wait for the same thing only one is woken
     * @param bit what {@link #await} reports for it: one bit
     * @return 0 or the negative error number
     */
    public int add(int watched, boolean exclusive, long bit) {
        events.set(JAVA_INT_UNALIGNED, 0, EPOLLIN | (exclusive ? EPOLLEXCLUSIVE : 0));
        events.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, bit);
        return calls.epollCtl(fd, EPOLL_CTL_ADD, watched, events);
    }

    /** Blocks until something can be read or has failed; the bits of what, 0 if a signal ended the wait. */
    public long await() {
        int count = calls.epollWait(fd, events, MAX_EVENTS, -1);
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= events.get(JAVA_LONG_UNALIGNED, (long) i * EVENT_SIZE + DATA_OFFSET);
        }
        return bits;
    }

    @Override
    public void close() {
        calls.close(fd);
    }
}
