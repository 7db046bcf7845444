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
 * when there is nothing to read, for the connection or the word to stop, so it never swallows a request. One thread at a
 * time runs it; when that has ended because of the word, another one can go on.
 */
final class Reader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);
    private static final long READABLE = 1;
    private static final long STOP = 2;

    /** Why a reader's thread ends. */
    enum End {
        /** It was told to. */
        STOPPED,
        /** The connection is gone. */
        UNMOUNTED,
        /** It can't go on. */
        FAILED
    }

    /** What a reader is part of. */
    interface Pool {
        /** An eventfd that can be read when readers are to stop. */
        int stopEvent();

        RequestHandler handler();

        Spares spares();

        /** The calling thread ends. */
        void done(Reader reader, End end);
    }

    final String name;
    /** A descriptor of the connection, for this reader alone. */
    final int fd;

    private final Pool pool;
    private final Spares spares;
    private final boolean spare;

    /**
     * @param name of its threads
     * @param spare whether it reads only while others wait inside a request
     */
    Reader(Pool pool, String name, int fd, boolean spare) {
        this.pool = pool;
        this.name = name;
        this.fd = fd;
        this.spare = spare;
        spares = pool.spares();
    }

    /** A thread that runs it. */
    Thread thread() {
        return new ReaderThread(this, name, spares);
    }

    @Override
    public void run() {
        End end = End.FAILED;
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            try (Epoll epoll = new Epoll(calls, arena)) {
                if (epoll.add(fd, true, READABLE) < 0 || epoll.add(pool.stopEvent(), false, STOP) < 0) {
                    throw new IllegalStateException("epoll_ctl failed");
                }
                end = spare && !spares.enter() ? dismissed() : serve(arena, calls, epoll);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("a FUSE reader ends", e);
            throw e;
        } finally {
            pool.done(this, end);
        }
    }

    private End serve(Arena arena, SystemCalls calls, Epoll epoll) {
        MemorySegment request = arena.allocate(Descriptors.REQUEST_BYTES, 4096);
        MemorySegment reply = arena.allocate(Descriptors.REPLY_BYTES, 4096);
        RequestHandler.Worker worker = pool.handler().worker(RequestHandler.Place.buffers(request, reply), spares);
        if (Thread.currentThread() instanceof ReaderThread thread) {
            thread.serves(worker);
        }
        boolean answered = false;
        while (!spares.stopped()) {
            // never between being woken and reading: the kernel wakes one reader for a request, and nobody else would
            // come
            if (answered && spare && spares.leave() && !spares.enter()) {
                break;
            }
            answered = false;
            long count = calls.read(fd, request, Descriptors.REQUEST_BYTES);
            if (count > 0) {
                answered = true;
                int length = worker.handle((int) count, 0);
                if (length > 0) {
                    send(calls, reply, length);
                }
            } else if (count == -Linux.EAGAIN) {
                if ((epoll.await() & STOP) != 0) {
                    return End.STOPPED;
                }
            } else if (count == -Linux.ENODEV) {
                return End.UNMOUNTED;
            } else if (count != -Linux.EINTR && count != -Linux.ENOENT) {
                LOG.error("read of /dev/fuse: {}", Linux.errorText((int) -count));
                return End.FAILED;
            }
        }
        return dismissed();
    }

    private End dismissed() {
        return spares.stopped() ? End.STOPPED : End.UNMOUNTED;
    }

    private void send(SystemCalls calls, MemorySegment reply, int length) {
        long written = calls.write(fd, reply, length);
        // ENOENT: the connection was aborted and with it the request. ENODEV: unmounted. Either ends all pins at once.
        if (written < 0 && written != -Linux.ENOENT && written != -Linux.ENODEV) {
            LOG.error("the kernel refused a reply of {} bytes: {}", length, Linux.errorText((int) -written));
        }
    }
}
