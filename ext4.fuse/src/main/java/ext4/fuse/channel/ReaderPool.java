// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ext4.api.fs.DeviceException;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader threads of one connection, each on a descriptor of its own. */
public final class ReaderPool implements Server {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderPool.class);
    /** Readers of a pool at most; beyond it requests that wait keep others from being read. */
    private static final int MOST = 512;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final String name;
    private final RequestHandler handler;
    private final Spares spares;
    private final AtomicInteger running;
    private final int stopEvent;
    /** The connection's first descriptor, open while any reader runs. */
    private final int connection;
    /** Guarded by this. */
    private final List<Thread> threads = new ArrayList<>();
    /** Whether the readers ended, so that the descriptors are closed. Guarded by this. */
    private boolean closed;

    /**
     * Starts {@code count} readers, and spare ones that read while others wait for the device or at the mount's gate; there
     * will be more of those if that many wait.
     *
     * @param fd the connection's first descriptor, which the pool takes over and closes, even on a throw
     * @param name of the threads
     */
    public ReaderPool(SystemCalls calls, int fd, int count, int spareCount, String name, RequestHandler handler) {
        this.name = name;
        this.handler = handler;
        spares = new Spares(spareCount, this::addSpare);
        connection = fd;
        List<Integer> descriptors = new ArrayList<>();
        stopEvent = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        try {
            if (stopEvent < 0) {
                throw new IllegalStateException("eventfd: errno " + -stopEvent);
            }
            while (descriptors.size() < count + spareCount) {
                descriptors.add(Descriptors.clone(calls, fd));
            }
        } catch (RuntimeException e) {
            descriptors.forEach(calls::close);
            calls.close(fd);
            calls.close(stopEvent);
            throw e;
        }
        running = new AtomicInteger(descriptors.size());
        for (int descriptor : descriptors) {
            threads.add(reader(descriptor, threads.size() >= count));
        }
        threads.forEach(Thread::start);
    }

    private Thread reader(int descriptor, boolean spare) {
        Reader reader = new Reader(descriptor, stopEvent, handler, spares, spare, this::readerDone);
        return new ReaderThread(reader, name + "-" + threads.size(), spares);
    }

    /** Called by a reader, so one runs. */
    private synchronized void addSpare() {
        if (threads.size() >= MOST) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            Thread spare = reader(Descriptors.clone(new SystemCalls(arena), connection), true);
            running.incrementAndGet();
            threads.add(spare);
            spare.start();
        } catch (DeviceException e) {
            LOG.warn("no more readers, though requests wait: {}", e.getMessage());
        }
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public synchronized void stop() {
        if (closed) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            new SystemCalls(arena).write(stopEvent, arena.allocateFrom(JAVA_LONG, 1L), Long.BYTES);
        }
        spares.stop();
    }

    @Override
    public void join() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (Thread thread : all) {
            if (thread != Thread.currentThread()) {
                thread.join();
            }
        }
    }

    private void readerDone() {
        spares.dismiss();
        if (running.decrementAndGet() == 0) {
            closeDescriptors();
            ended.complete(null);
        }
    }

    private synchronized void closeDescriptors() {
        closed = true;
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            calls.close(stopEvent);
            calls.close(connection);
        }
    }
}
