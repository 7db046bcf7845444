// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import ext4.sys.Epoll;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread's loop: read a request, have it answered, write the reply on the descriptor that it came from. It waits only
 * when there is nothing to read, for the connection or the word to stop, so it never swallows a request.
 */
final class Reader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);
    private static final long READABLE = 1;
    private static final long STOP = 2;

    private final int fd;
    private final int stopEvent;
    private final RequestHandler handler;
    private final Spares spares;
    private final boolean spare;
    private final Runnable whenDone;

    /**
     * @param fd a descriptor of the connection, which this reader closes
     * @param stopEvent an eventfd that becomes readable when the reader is to stop
     * @param spare whether it reads only while others wait inside a request
     */
    Reader(int fd, int stopEvent, RequestHandler handler, Spares spares, boolean spare, Runnable whenDone) {
        this.fd = fd;
        this.stopEvent = stopEvent;
        this.handler = handler;
        this.spares = spares;
        this.spare = spare;
        this.whenDone = whenDone;
    }

    @Override
    public void run() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            try (Epoll epoll = new Epoll(calls, arena)) {
                if (epoll.add(fd, true, READABLE) < 0 || epoll.add(stopEvent, false, STOP) < 0) {
                    throw new IllegalStateException("epoll_ctl failed");
                }
                if (!spare || spares.enter()) {
                    serve(arena, calls, epoll);
                }
            } finally {
                calls.close(fd);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("a FUSE reader ends", e);
            throw e;
        } finally {
            whenDone.run();
        }
    }

    private void serve(Arena arena, SystemCalls calls, Epoll epoll) {
        MemorySegment request = arena.allocate(Descriptors.REQUEST_BYTES, 4096);
        MemorySegment reply = arena.allocate(Descriptors.REPLY_BYTES, 4096);
        RequestHandler.Worker worker = handler.worker(RequestHandler.Place.buffers(request, reply), spares);
        if (Thread.currentThread() instanceof ReaderThread thread) {
            thread.serves(worker);
        }
        while (!spares.stopped() && (!spare || !spares.leave() || spares.enter())) {
            long count = calls.read(fd, request, Descriptors.REQUEST_BYTES);
            if (count > 0) {
                int length = worker.handle((int) count, 0);
                if (length > 0) {
                    send(calls, reply, length);
                }
            } else if (count == -Linux.EAGAIN) {
                if ((epoll.await() & STOP) != 0) {
                    return;
                }
            } else if (count == -Linux.ENODEV) {
                return; // unmounted
            } else if (count != -Linux.EINTR && count != -Linux.ENOENT) {
                LOG.error("read of /dev/fuse: {}", Linux.errorText((int) -count));
                return;
            }
        }
    }

    private void send(SystemCalls calls, MemorySegment reply, int length) {
        long written = calls.write(fd, reply, length);
        // ENOENT: the connection was aborted and with it the request. ENODEV: unmounted. Either ends all pins at once.
        if (written < 0 && written != -Linux.ENOENT && written != -Linux.ENODEV) {
            LOG.error("the kernel refused a reply of {} bytes: {}", length, Linux.errorText((int) -written));
        }
    }
}
