// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.RequestThread;
import ext4.sys.Linux;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread's loop: read a request, have it answered, write the reply on the descriptor that it came from. It waits only
 * when there is nothing to read, for the connection or the word to stop, so it never swallows a request. One thread at a
 * time runs it; when that has ended because of the word, another one can go on.
 */
final class Reader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);

    /** Why a reader's thread ends. */
    enum End {
        /** It was told to. */
        STOPPED,
        /** The connection is gone. */
        UNMOUNTED,
        /** It can't go on. */
        FAILED
    }

    /** Its request waits at the gate of the mount. */
    private record Waiting(Spares spares, RequestHandler.Worker worker) implements RequestThread {
        @Override
        public void waiting() {
            spares.begin();
            worker.waiting();
        }

        @Override
        public void resumed() {
            worker.resumed();
            spares.end();
        }
    }

    /** What a reader is part of. */
    interface Pool {
        /** Where the reader with that descriptor reads; the reader closes it. */
        RequestSource source(int fd);

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
        return CarrierThread.once(name, this);
    }

    @Override
    public void run() {
        End end = End.FAILED;
        try (RequestSource source = pool.source(fd)) {
            end = spare && !spares.enter() ? dismissed() : serve(source);
        } catch (RuntimeException | Error e) {
            LOG.error("a FUSE reader ends", e);
            throw e;
        } finally {
            pool.done(this, end);
        }
    }

    private End serve(RequestSource source) {
        RequestHandler.Worker worker = pool.handler().worker(source.place(), spares);
        if (Thread.currentThread() instanceof CarrierThread thread) {
            thread.serves(new Waiting(spares, worker));
        }
        boolean answered = false;
        while (!spares.stopped()) {
            // never between being woken and reading, see RequestSource#awaitRequest
            if (answered && spare && spares.leave() && !spares.enter()) {
                break;
            }
            answered = false;
            long count = source.read();
            if (count > 0) {
                answered = true;
                int length = worker.handle((int) count, 0);
                if (length > 0) {
                    source.reply(length);
                }
            } else if (count == -Linux.EAGAIN) {
                if (source.awaitRequest()) {
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
}
