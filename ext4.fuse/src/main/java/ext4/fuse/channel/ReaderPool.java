// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ext4.api.fs.DeviceException;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader threads of one connection, each on a descriptor of its own. */
public final class ReaderPool implements Server, Reader.Pool {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderPool.class);
    /** Readers of a pool at most; beyond it requests that wait keep others from being read. */
    private static final int MOST = 512;

    private enum Phase {
        SERVING,
        /** Readers are to end or have ended, and the descriptors stay. */
        PAUSED,
        /** They end for good. */
        STOPPING,
        /** The descriptors are closed, or somebody else's. */
        OVER
    }

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final String name;
    private final RequestHandler handler;
    private final Spares spares;
    private final int stopEvent;
    /** The connection's first descriptor, open while any reader runs. */
    private final int connection;
    /** Guarded by this. */
    private Phase phase = Phase.SERVING;
    /** Whether the descriptors are the pool's: not before all threads are started. Guarded by this. */
    private boolean owner;
    /** Whether a reader found the connection gone. Guarded by this. */
    private boolean gone;
    /** Readers whose descriptor is open. Guarded by this. */
    private final List<Reader> readers = new ArrayList<>();
    /** Those that a pause ended. Guarded by this. */
    private final List<Reader> idle = new ArrayList<>();
    /** Threads that run a reader, or did a moment ago. Guarded by this. */
    private final List<Thread> threads = new ArrayList<>();
    /** Clones that no reader has. Guarded by this. */
    private final Deque<Integer> unused = new ArrayDeque<>();
    /** Threads that have not ended. Guarded by this. */
    private int running;
    /** Guarded by this. */
    private Consumer<List<Integer>> informed = descriptors -> {};

    private ReaderPool(SystemCalls calls, int connection, int spareCount, String name, RequestHandler handler) {
        this.name = name;
        this.handler = handler;
        this.connection = connection;
        spares = new Spares(spareCount, this::addSpare);
        stopEvent = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        if (stopEvent < 0) {
            throw new IllegalStateException("eventfd: errno " + -stopEvent);
        }
    }

    /**
     * Starts {@code count} readers, and spare ones that read while others wait for the device or at the mount's gate; there
     * will be more of those if that many wait.
     *
     * @param descriptors the connection's first, then clones that there are already; the pool takes them over, but on a
     *     throw they are the caller's, and what a reader had read by then is answered
     * @param name of the threads
     */
    public static ReaderPool start(
            SystemCalls calls,
            List<Integer> descriptors,
            int count,
            int spareCount,
            String name,
            RequestHandler handler) {
        ReaderPool pool = new ReaderPool(calls, descriptors.getFirst(), spareCount, name, handler);
        pool.begin(calls, descriptors.subList(1, descriptors.size()), count, spareCount);
        return pool;
    }

    private void begin(SystemCalls calls, List<Integer> given, int count, int spareCount) {
        List<Integer> made = new ArrayList<>();
        try {
            while (given.size() + made.size() < count + spareCount) {
                made.add(Descriptors.clone(calls, connection));
            }
            synchronized (this) {
                unused.addAll(given);
                unused.addAll(made);
                while (readers.size() < count + spareCount) {
                    readers.add(reader(unused.removeFirst(), readers.size() >= count));
                }
                readers.forEach(this::startLocked);
                owner = true;
            }
        } catch (RuntimeException | Error e) { // the descriptors are the caller's again, and a thread may be using one
            abandon();
            made.forEach(calls::close);
            calls.close(stopEvent);
            throw e;
        }
    }

    /** Not all threads could be started: ends the others, and leaves the descriptors. */
    private void abandon() {
        try {
            while (!pause(TimeUnit.MINUTES.toNanos(1))) {
                LOG.warn("{}: a request still runs, which a transport that could not be started has to answer", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            phase = Phase.OVER;
        }
    }

    private Reader reader(int descriptor, boolean spare) {
        return new Reader(this, name + "-" + readers.size(), descriptor, spare);
    }

    private void startLocked(Reader reader) {
        Thread thread = reader.thread();
        thread.start();
        running++;
        threads.add(thread);
    }

    @Override
    public RequestSource source(int fd) {
        return new DescriptorSource(fd, stopEvent);
    }

    @Override
    public RequestHandler handler() {
        return handler;
    }

    @Override
    public Spares spares() {
        return spares;
    }

    /** Called by a reader, so one runs. */
    private synchronized void addSpare() {
        if (readers.size() >= MOST) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            boolean has = !unused.isEmpty();
            Reader spare =
                    reader(has ? unused.removeFirst() : Descriptors.clone(new SystemCalls(arena), connection), true);
            readers.add(spare);
            if (!has) {
                informed.accept(descriptorsLocked());
            }
            startLocked(spare);
        } catch (DeviceException e) {
            LOG.warn("no more readers, though requests wait: {}", e.getMessage());
        }
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void stop() {
        boolean last;
        synchronized (this) {
            if (phase == Phase.OVER) {
                return;
            }
            phase = Phase.STOPPING;
            tellLocked();
            last = running == 0; // it was paused
            if (last) {
                closeDescriptorsLocked();
            }
        }
        if (last) {
            ended.complete(null);
        }
    }

    private void tellLocked() {
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

    @Override
    public boolean pause(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        synchronized (this) {
            if (phase != Phase.OVER) {
                phase = Phase.PAUSED;
                tellLocked();
            }
            try {
                while (running > 0 && deadline - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
                }
            } catch (InterruptedException e) {
                unpause();
                throw e;
            }
            if (running > 0) {
                unpause();
                return false;
            }
        }
        join();
        return true;
    }

    @Override
    public synchronized void unpause() {
        if (phase != Phase.PAUSED) {
            return;
        }
        phase = Phase.SERVING;
        try (Arena arena = Arena.ofConfined()) {
            new SystemCalls(arena).read(stopEvent, arena.allocate(JAVA_LONG), Long.BYTES);
        }
        spares.again();
        threads.removeIf(thread -> !thread.isAlive());
        List<Reader> again = List.copyOf(idle);
        idle.clear();
        again.forEach(this::startLocked);
    }

    @Override
    public synchronized Released release() {
        if (phase != Phase.PAUSED || running > 0) {
            throw new IllegalStateException("readers run");
        }
        phase = Phase.OVER;
        try (Arena arena = Arena.ofConfined()) {
            new SystemCalls(arena).close(stopEvent);
        }
        return new Released(descriptorsLocked(), Map.of(), Map.of());
    }

    @Override
    public synchronized List<Integer> descriptors() {
        return descriptorsLocked();
    }

    @Override
    public synchronized void whenDescriptorsChange(Consumer<List<Integer>> told) {
        informed = told;
    }

    private List<Integer> descriptorsLocked() {
        List<Integer> all = new ArrayList<>(List.of(connection));
        readers.forEach(reader -> all.add(reader.fd));
        all.addAll(unused);
        return all;
    }

    @Override
    public void done(Reader reader, Reader.End end) {
        boolean last;
        synchronized (this) {
            running--;
            threads.removeIf(thread -> !thread.isAlive());
            switch (end) {
                case STOPPED -> stoppedLocked(reader);
                case UNMOUNTED -> goneLocked();
                case FAILED -> failedLocked(reader);
            }
            last = running == 0 && (gone || phase != Phase.PAUSED) && phase != Phase.OVER;
            if (last) {
                closeDescriptorsLocked();
            }
            notifyAll();
        }
        if (last) {
            ended.complete(null);
        }
    }

    private void stoppedLocked(Reader reader) {
        if (phase == Phase.SERVING && !gone) {
            startLocked(reader); // the word came and was taken back
        } else {
            idle.add(reader);
        }
    }

    private void goneLocked() {
        gone = true;
        spares.dismiss();
    }

    /** Its descriptor is closed, so that a request that it had does not hang. */
    private void failedLocked(Reader reader) {
        spares.dismiss();
        if (owner) {
            readers.remove(reader);
            informed.accept(descriptorsLocked());
            try (Arena arena = Arena.ofConfined()) {
                new SystemCalls(arena).close(reader.fd);
            }
        }
    }

    private void closeDescriptorsLocked() {
        phase = Phase.OVER;
        if (!owner) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            calls.close(stopEvent);
            descriptorsLocked().forEach(calls::close);
        }
    }
}
