// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import ext4.sys.Epoll;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A descriptor of the connection: a reply goes to the one that its request came from. */
final class DescriptorSource implements RequestSource {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorSource.class);
    private static final long READABLE = 1;
    private static final long STOP = 2;

    private final int fd;
    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);
    private final MemorySegment request = arena.allocate(Descriptors.REQUEST_BYTES, 4096);
    private final MemorySegment reply = arena.allocate(Descriptors.REPLY_BYTES, 4096);
    private final Epoll epoll;

    /**
     * @param fd stays the caller's
     * @param stopEvent an eventfd that can be read when readers are to stop
     */
    DescriptorSource(int fd, int stopEvent) {
        this.fd = fd;
        try {
            epoll = new Epoll(calls, arena);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
        if (epoll.add(fd, true, READABLE) < 0 || epoll.add(stopEvent, false, STOP) < 0) {
            close();
            throw new IllegalStateException("epoll_ctl failed");
        }
    }

    @Override
    public RequestHandler.Place place() {
        return RequestHandler.Place.buffers(request, reply);
    }

    @Override
    public long read() {
        return calls.read(fd, request, Descriptors.REQUEST_BYTES);
    }

    @Override
    public boolean awaitRequest() {
        return (epoll.await() & STOP) != 0;
    }

    @Override
    public void reply(int length) {
        long written = calls.write(fd, reply, length);
        // ENOENT: the connection was aborted and with it the request. ENODEV: unmounted. Either ends all pins at once.
        if (written < 0 && written != -Linux.ENOENT && written != -Linux.ENODEV) {
            LOG.error("the kernel refused a reply of {} bytes: {}", length, Linux.errorText((int) -written));
        }
    }

    @Override
    public void close() {
        epoll.close();
        arena.close();
    }
}
