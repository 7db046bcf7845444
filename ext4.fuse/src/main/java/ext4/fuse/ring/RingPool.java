// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.DeviceException;
import ext4.api.fs.TransportState;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.RequestHandler;
import ext4.fuse.channel.Server;
import ext4.sys.Processors;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues of one connection and the threads that serve them; {@link ext4.fuse.ring} says how. */
public final class RingPool {
    private static final Logger LOG = LoggerFactory.getLogger(RingPool.class);
    /**
     * Places of all queues together, and of one. A request keeps its place while it waits, and the kernel gives a place
     * that is added later only to requests that come later still, so there are as many from the beginning as may ever
     * wait. It takes the one that was last free, so those that are not needed cost little more than address space.
     */
    private static final int PLACES = 4096;

    private static final int LEAST_DEPTH = 32;
    private static final int MOST_DEPTH = 256;
    /** Places for a processor that is not there now. */
    private static final int ABSENT_DEPTH = 2;
    /** Threads of a pool at most; beyond it requests that wait keep others of their queue from being served. */
    private static final int MOST = 512;
    /** How long the kernel may take to be done with threads that have ended. */
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final List<RingQueue> queues;
    private final CountDownLatch registrations;
    private final AtomicInteger refused = new AtomicInteger();
    /** Threads that served for another pool. */
    private final List<CarrierThread> adopted;

    private String name;
    /** Guarded by this. */
    private final List<RingThread> threads = new ArrayList<>();
    /** Last come, first used: its memory is warm. Guarded by this. */
    private final Deque<RingThread> idle = new ArrayDeque<>();
    /** Queues that still are served. Guarded by this. */
    private int serving;
    /** Threads that have not ended. Guarded by this. */
    private int running;
    /** Whether the threads end for good. Guarded by this. */
    private boolean over;
    /** Whether the queues are closed, or somebody else's. Guarded by this. */
    private boolean released;

    /** Queues that nobody serves because of a pause. Guarded by this. */
    private final Deque<RingQueue> paused = new ArrayDeque<>();
    /** Guarded by this. */
    private boolean pausing;

    private volatile boolean stopping;
    private volatile boolean failed;

    private RingPool(List<RingQueue> queues, List<CarrierThread> adopted) {
        this.queues = queues;
        this.adopted = adopted;
        serving = queues.size();
        registrations = new CountDownLatch(queues.size());
    }

    /**
     * Makes all that is needed, before the kernel is told to use it.
     *
     * @param fd a descriptor of the connection, which stays the caller's
     */
    public static RingPool open(SystemCalls calls, int fd) {
        List<RingQueue> queues = new ArrayList<>();
        try {
            BitSet online = Processors.online();
            BitSet possible = Processors.possible();
            for (int processor = online.nextSetBit(0); processor >= 0; processor = online.nextSetBit(processor + 1)) {
                int[] qids = depth(processor, online.cardinality());
                qids = queues.isEmpty() ? withAbsent(qids, online, possible) : qids;
                queues.add(RingQueue.open(calls, processor, qids, Descriptors.clone(calls, fd)));
            }
            return new RingPool(queues, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            queues.forEach(queue -> queue.close(calls));
            throw e;
        }
    }

    /**
     * One that goes on where another one of this process gave up. Nothing is changed before {@link #resume}.
     *
     * @throws UnsupportedOperationException in one sentence, if that can't be
     */
    public static RingPool of(TransportState state) {
        RingState left = RingState.of(state);
        return new RingPool(left.rings().stream().map(RingQueue::of).toList(), left.carriers());
    }

    /** Ends what a state hands on and nobody goes on with. */
    public static void discard(SystemCalls calls, TransportState state) {
        RingState left = RingState.of(state);
        left.carriers().forEach(CarrierThread::end);
        boolean gone = true;
        try {
            for (CarrierThread carrier : left.carriers()) {
                carrier.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            gone = false; // the kernel may still use the memory
        }
        if (gone) {
            left.rings().forEach(ring -> ring.close(calls));
        }
    }

    private static int[] depth(int processor, int processors) {
        int[] qids = new int[Math.clamp(PLACES / processors, LEAST_DEPTH, MOST_DEPTH)];
        Arrays.fill(qids, processor);
        return qids;
    }

    /** The first ring has a place too for each processor that is not there now: the kernel wants a queue for each. */
    private static int[] withAbsent(int[] own, BitSet online, BitSet possible) {
        BitSet absent = (BitSet) possible.clone();
        absent.andNot(online);
        int[] qids = Arrays.copyOf(own, own.length + ABSENT_DEPTH * absent.cardinality());
        int at = own.length;
        for (int other = absent.nextSetBit(0); other >= 0; other = absent.nextSetBit(other + 1)) {
            Arrays.fill(qids, at, at + ABSENT_DEPTH, other);
            at += ABSENT_DEPTH;
        }
        return qids;
    }

    /**
     * Starts to serve.
     *
     * @return 0, or the negative error number with which the kernel refused a queue: then it goes on without io_uring, and
     *     the pool has ended
     */
    public int start(String name, RequestHandler handler) {
        this.name = name;
        queues.forEach(queue -> queue.serveWith(handler));
        synchronized (this) {
            queues.forEach(queue -> startLocked(queue, true));
        }
        try {
            registrations.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while mounting", e);
        }
        if (failed) {
            throw new DeviceException("FUSE over io_uring could not be started; the log says why");
        }
        if (refused.get() == 0) {
            return 0;
        }
        stop();
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return refused.get();
    }

    /** Goes on with what {@link #of} took over. If the connection is gone it ends at once. */
    public void resume(String name, RequestHandler handler) {
        this.name = name;
        queues.forEach(queue -> queue.serveWith(handler));
        synchronized (this) {
            for (int i = 0; i < adopted.size(); i++) {
                CarrierThread carrier = adopted.get(i);
                addLocked(new RingThread(this, carrier, i < queues.size() ? queues.get(i) : null, false));
            }
        }
    }

    private void startLocked(RingQueue queue, boolean registers) {
        CarrierThread carrier = new CarrierThread(name + "-ring-" + threads.size());
        carrier.start();
        addLocked(new RingThread(this, carrier, queue, registers));
    }

    private void addLocked(RingThread thread) {
        threads.add(thread);
        running++;
        thread.carrier.give(thread);
    }

    /** A queue's first owner has registered it with that result. */
    void registered(int result) {
        refused.compareAndSet(0, result);
        registrations.countDown();
    }

    boolean stopping() {
        return stopping;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Finds a thread to own the queue; false if there is none. */
    synchronized boolean serve(RingQueue queue) {
        RingThread thread = idle.pollLast();
        if (thread != null) {
            thread.give(queue);
            return true;
        }
        if (threads.size() >= MOST) {
            return false;
        }
        startLocked(queue, false);
        return true;
    }

    /** The calling thread has nothing to do. */
    synchronized void idle(RingThread thread) {
        if (serving <= 0) {
            thread.give(null);
        } else if (!pausing && !paused.isEmpty()) {
            thread.give(paused.removeFirst());
        } else {
            idle.addLast(thread);
        }
    }

    /** The calling thread owned that queue, of which nothing more comes. */
    synchronized void ended(RingQueue queue) {
        if (queue != null && !queue.drained() && (pausing || !stopping)) {
            paused.add(queue);
            if (!pausing) {
                return; // the word to stop was taken back: the calling thread is idle now and takes it again
            }
        }
        if (--serving == 0) {
            notifyAll();
            idle.forEach(thread -> thread.give(null));
            idle.clear();
        }
    }

    /** The calling thread ends because of an error: the mount must end, or its callers would wait for ever. */
    void failed() {
        failed = true;
        synchronized (this) {
            serving = 1;
        }
        ended(null);
        stop();
        for (int i = 0; i < queues.size(); i++) {
            registrations.countDown();
        }
    }

    /** The calling thread has nothing to do any more. */
    void done(RingThread thread) {
        boolean last;
        synchronized (this) {
            last = --running == 0;
            boolean drained = queues.stream().allMatch(RingQueue::drained);
            if (!pausing || drained || failed) {
                over = true;
                thread.carrier.end();
            }
            if (last && over) {
                threads.forEach(other -> other.carrier.end());
                if (drained) {
                    release();
                }
            }
            last = last && over;
        }
        if (last) {
            ended.complete(null);
        }
    }

    /** Completes when the last thread has ended: the connection is gone or {@link #stop} was called. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Tells the threads to answer what they have and end; does not wait. */
    public synchronized void stop() {
        stopping = true;
        if (released) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            queues.forEach(queue -> queue.wake(calls));
        }
    }

    /** Waits until the threads are gone, also for the kernel, and gives back all that they used. */
    public void join() throws InterruptedException {
        List<RingThread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (RingThread thread : all) {
            if (thread.carrier != Thread.currentThread()) {
                thread.carrier.join();
            }
        }
        long deadline = System.nanoTime() + GONE_NANOS;
        for (RingThread thread : all) {
            while (!isReleased()
                    && thread.carrier != Thread.currentThread()
                    && !Processors.gone(thread.kernelThread())) {
                // it has left Java, and the kernel is about to cancel what it submitted
                if (System.nanoTime() > deadline) {
                    LOG.warn("the kernel still uses the memory of a mount that ended; it is not given back");
                    return;
                }
                Thread.sleep(1);
            }
        }
        release();
    }

    /** As {@link ext4.fuse.channel.Server#pause}; the threads rest, for the next one to go on with. */
    public boolean pause(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        List<RingThread> all;
        synchronized (this) {
            pausing = true;
            stop();
            try {
                while (serving > 0 && deadline - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
                }
            } catch (InterruptedException e) {
                if (unpausedLocked()) {
                    throw e;
                }
                Thread.currentThread().interrupt();
            }
            if (unpausedLocked()) {
                return false;
            }
            all = List.copyOf(threads);
        }
        for (RingThread thread : all) {
            while (thread.carrier.isAlive() && !thread.carrier.resting()) {
                Thread.onSpinWait(); // it has nothing left to do but to return
            }
        }
        return true;
    }

    /** Goes on as before if a queue is still served; false if none is, and all threads are about to rest or end. */
    private boolean unpausedLocked() {
        if (serving <= 0) {
            return false;
        }
        pausing = false;
        stopping = false;
        for (int i = paused.size(); i > 0; i--) {
            RingQueue queue = paused.removeFirst();
            serving++;
            if (!serve(queue)) {
                paused.addLast(queue); // the next thread that has nothing to do takes it
            }
        }
        return true;
    }

    /** As {@link ext4.fuse.channel.Server#release}. */
    public synchronized Server.Released leave() {
        if (released || !pausing || running > 0) {
            throw new IllegalStateException("the rings are not paused");
        }
        released = true;
        return new RingState(
                        queues.stream().map(RingQueue::leave).toList(),
                        threads.stream().map(thread -> thread.carrier).toList())
                .released();
    }

    /** Descriptors of the connection that the rings use. */
    public List<Integer> descriptors() {
        return queues.stream().map(RingQueue::connection).toList();
    }

    private synchronized boolean isReleased() {
        return released;
    }

    /** Closes a pool that was never started, or whose threads are gone. */
    public synchronized void release() {
        if (released) {
            return;
        }
        released = true;
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            queues.forEach(queue -> queue.close(calls));
        }
    }
}
