// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The reader threads of one connection, each on a descriptor of its own. */
public final class ReaderPool {
    private static final int SPARES = 16;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Spares spares = new Spares();
    private final AtomicInteger running;
    private final int stopEvent;

    /**
     * Starts {@code count} readers, and spare ones that read while others wait for the device.
     *
     * @param fd the connection's first descriptor, which the pool takes over and closes, even on a throw
     * @param name of the threads
     */
    public ReaderPool(SystemCalls calls, int fd, int count, String name, RequestHandler handler) {
        List<Integer> descriptors = new ArrayList<>();
        descriptors.add(fd);
        stopEvent = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        try {
            if (stopEvent < 0) {
                throw new IllegalStateException("eventfd: errno " + -stopEvent);
            }
            while (descriptors.size() < count + SPARES) {
                descriptors.add(Descriptors.clone(calls, fd));
            }
        } catch (RuntimeException e) {
            descriptors.forEach(calls::close);
            calls.close(stopEvent);
            throw e;
        }
        running = new AtomicInteger(descriptors.size());
        for (int descriptor : descriptors) {
            boolean spare = threads.size() >= count;
            Reader reader = new Reader(descriptor, stopEvent, handler, spares, spare, this::readerDone);
            threads.add(Thread.ofPlatform()
                    .name(name + "-" + threads.size())
                    .daemon()
                    .unstarted(reader));
        }
        threads.forEach(Thread::start);
    }

    /** Completes when the last reader has ended: the connection is gone or {@link #stop} was called. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Tells the readers to answer what they have and end; does not wait. Must not be called after they ended. */
    public void stop() {
        try (Arena arena = Arena.ofConfined()) {
            new SystemCalls(arena).write(stopEvent, arena.allocateFrom(JAVA_LONG, 1L), Long.BYTES);
        }
    }

    /** Waits until the threads themselves are gone; a reader that calls it waits for all others. */
    public void join() throws InterruptedException {
        for (Thread thread : threads) {
            if (thread != Thread.currentThread()) {
                thread.join();
            }
        }
    }

    private void readerDone() {
        spares.dismiss(SPARES);
        if (running.decrementAndGet() == 0) {
            try (Arena arena = Arena.ofConfined()) {
                new SystemCalls(arena).close(stopEvent);
            }
            ended.complete(null);
        }
    }
}
