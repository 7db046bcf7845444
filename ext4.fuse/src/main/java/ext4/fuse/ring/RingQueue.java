// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import ext4.fuse.channel.RequestHandler;
import ext4.fuse.wire.RingCommand;
import ext4.sys.IoUring;
import ext4.sys.Linux;
import ext4.sys.Mapping;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ring with its places. It has one owner, a thread that alone submits and looks at completions; only {@link #handIn} and
 * {@link #wake} are for others.
 */
final class RingQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RingQueue.class);
    /** User data of the submission that waits for {@link #wake}; places have theirs from 0 up. */
    private static final long WAKE = -1;

    private static final long PAGE = 4096;

    final int processor;
    private final IoUring ring;
    private final Mapping memory;
    private final RingPlace[] places;
    /** A descriptor of the connection for this ring alone, so that queues share no reference count. */
    private final int connection;

    private final int wakeEvent;
    /** Eight bytes to read the event into. */
    private final MemorySegment event;
    /** Answered by threads that no longer own the queue. */
    private final Queue<RingPlace> answered = new ConcurrentLinkedQueue<>();
    /** Places in the hands of threads that no longer own the queue. */
    private final AtomicInteger handedOut = new AtomicInteger();
    /** Places that can still get a request. Used by the owner. */
    private int live;

    private RingQueue(int processor, IoUring ring, Mapping memory, RingPlace[] places, int connection, int wakeEvent) {
        this.processor = processor;
        this.ring = ring;
        this.memory = memory;
        this.places = places;
        this.connection = connection;
        this.wakeEvent = wakeEvent;
        event = memory.memory().asSlice(memory.memory().byteSize() - Long.BYTES, Long.BYTES);
        live = places.length;
    }

    /**
     * Makes the ring and its memory.
     *
     * @param qids for each place the kernel's queue that it belongs to
     * @param connection a descriptor that the queue takes over and closes, even on a throw
     */
    static RingQueue open(SystemCalls calls, int processor, int[] qids, int connection) {
        IoUring ring = null;
        int wakeEvent = calls.eventfd(0, SystemCalls.EFD_CLOEXEC | SystemCalls.EFD_NONBLOCK);
        try {
            if (wakeEvent < 0) {
                throw new IllegalStateException("eventfd: " + Linux.errorText(-wakeEvent));
            }
            ring = IoUring.open(calls, qids.length + 1);
            long headers = headers(qids.length);
            Mapping memory =
                    Mapping.anonymous(calls, headers + (long) qids.length * RingPlace.PAYLOAD_BYTES + Long.BYTES);
            return new RingQueue(
                    processor, ring, memory, places(qids, memory.memory(), headers), connection, wakeEvent);
        } catch (RuntimeException e) {
            if (ring != null) {
                ring.close(calls);
            }
            calls.close(wakeEvent);
            calls.close(connection);
            throw e;
        }
    }

    private static RingPlace[] places(int[] qids, MemorySegment memory, long payloads) {
        RingPlace[] places = new RingPlace[qids.length];
        for (int i = 0; i < places.length; i++) {
            MemorySegment header = memory.asSlice((long) i * RingPlace.HEADER_BYTES, RingPlace.HEADER_BYTES);
            long payload = payloads + (long) i * RingPlace.PAYLOAD_BYTES;
            places[i] = new RingPlace(i, qids[i], header, memory.asSlice(payload, RingPlace.PAYLOAD_BYTES));
        }
        return places;
    }

    /** What another pool left to go on with; who has it owns it. */
    record Left(int processor, int[] qids, IoUring ring, Mapping memory, int connection, int wakeEvent, int live) {
        void close(SystemCalls calls) {
            ring.close(calls);
            memory.close(calls);
            calls.close(wakeEvent);
        }
    }

    static RingQueue of(Left left) {
        RingPlace[] places = places(left.qids, left.memory.memory(), headers(left.qids.length));
        RingQueue queue =
                new RingQueue(left.processor, left.ring, left.memory, places, left.connection, left.wakeEvent);
        queue.live = left.live;
        return queue;
    }

    int connection() {
        return connection;
    }

    /** When it has no owner: the next one finds what the kernel brought. */
    Left leave() {
        int[] qids = Arrays.stream(places).mapToInt(place -> place.qid).toArray();
        return new Left(processor, qids, ring, memory, connection, wakeEvent, live);
    }

    private static long headers(int places) {
        return -PAGE & (long) places * RingPlace.HEADER_BYTES + PAGE - 1;
    }

    /** To be called before {@link #register}. */
    void serveWith(RequestHandler handler) {
        for (RingPlace place : places) {
            place.serveWith(handler);
        }
    }

    /**
     * Offers the places to the kernel. Called by the first owner.
     *
     * @return 0, or the negative error number that the kernel answers the first refused one with
     */
    int register(SystemCalls calls) {
        for (RingPlace place : places) {
            long at = ring.command(connection, RingCommand.REGISTER, place.iovecs(), 2, place.number);
            ring.submissions().set(JAVA_SHORT, at + RingCommand.QID, (short) place.qid);
        }
        ring.poll(wakeEvent, WAKE);
        int result = ring.enter(calls, 0);
        if (result < 0) {
            throw new IllegalStateException("io_uring_enter: " + Linux.errorText(-result));
        }
        return ring.completed() ? Math.min(0, ring.result()) : 0;
    }

    /** Whether there is or may come something to do. */
    boolean goesOn(boolean stopping) {
        return live > 0 && !(stopping && handedOut.get() == 0 && answered.isEmpty());
    }

    /** Whether the kernel is done with all places, so that their memory can go. */
    boolean drained() {
        return live == 0;
    }

    /** Sends the replies that are ready and waits for a request, or for {@link #wake}; not when nothing is to come. */
    void await(SystemCalls calls, boolean stopping) {
        commitAnswered();
        submit(calls, goesOn(stopping) ? 1 : 0);
    }

    /** Sends the replies that are ready. */
    void flush(SystemCalls calls) {
        commitAnswered();
        do {
            submit(calls, 0);
        } while (!ring.submitted());
    }

    private void commitAnswered() {
        if (handedOut.get() > 0) {
            for (RingPlace place = answered.poll(); place != null; place = answered.poll()) {
                handedOut.decrementAndGet();
                commit(place);
            }
        }
    }

    private void submit(SystemCalls calls, int wanted) {
        int result = ring.enter(calls, wanted);
        if (result < 0 && result != -Linux.EINTR && result != -Linux.EAGAIN && result != -Linux.EBUSY) {
            throw new IllegalStateException("io_uring_enter: " + Linux.errorText(-result));
        }
    }

    /** The place of the next request that is here, or null. */
    RingPlace next(SystemCalls calls) {
        while (ring.completed()) {
            long which = ring.userData();
            int result = ring.result();
            ring.next();
            if (which == WAKE) {
                calls.read(wakeEvent, event, Long.BYTES);
                ring.poll(wakeEvent, WAKE);
            } else if (result < 0) {
                lost(result);
            } else {
                return places[(int) which];
            }
        }
        return null;
    }

    private void lost(int result) {
        live--;
        switch (-result) {
            case Linux.ENOTCONN, Linux.ECONNABORTED, Linux.ENODEV, Linux.ECANCELED -> {} // unmounted
            default -> LOG.error("the kernel refused a command of FUSE over io_uring: {}", Linux.errorText(-result));
        }
    }

    /** Prepares the answer of a place, and with it that the next request is fetched. */
    void commit(RingPlace place) {
        long at = ring.command(connection, RingCommand.COMMIT_AND_FETCH, 0, 0, place.number);
        ring.submissions().set(JAVA_LONG, at + RingCommand.COMMIT_ID, place.commitId());
        ring.submissions().set(JAVA_SHORT, at + RingCommand.QID, (short) place.qid);
    }

    /** The owner is about to give the queue away and keeps one place. */
    void handOut() {
        handedOut.incrementAndGet();
    }

    /** It could not be given away. */
    void takeBack() {
        handedOut.decrementAndGet();
    }

    /** That place is answered. */
    void handIn(SystemCalls calls, RingPlace place) {
        answered.add(place);
        wake(calls);
    }

    /** Lets the owner look around. */
    void wake(SystemCalls calls) {
        try (Arena arena = Arena.ofConfined()) {
            calls.write(wakeEvent, arena.allocateFrom(JAVA_LONG, 1L), Long.BYTES);
        }
    }

    /** Gives everything back: nothing that the kernel does may still touch the memory. */
    void close(SystemCalls calls) {
        ring.close(calls);
        memory.close(calls);
        calls.close(wakeEvent);
        calls.close(connection);
    }
}
