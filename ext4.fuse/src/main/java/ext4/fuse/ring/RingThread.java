// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.RequestThread;
import ext4.sys.Processors;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a queue as its owner until it ends, or until a request has to wait: then it hands the queue to another thread,
 * and when the request is answered it is there for others that have to wait. The thread it runs on lives as long as the
 * connection, since the kernel cancels what a thread submitted that ends.
 */
final class RingThread implements Runnable, RequestThread {
    private static final Logger LOG = LoggerFactory.getLogger(RingThread.class);

    final CarrierThread carrier;
    private final RingPool pool;
    /** Whether it is the first to own its first queue. */
    private final boolean registers;

    private final Semaphore wake = new Semaphore(0);
    /** The next queue to own, null to end. Read behind {@link #wake}. */
    private RingQueue given;
    /** The queue that this thread owns, null if it gave it away. Used by this thread. */
    private RingQueue owned;
    /** The place whose request this thread carries out. Used by this thread. */
    private RingPlace current;

    private int pinnedTo = -1;
    /** What the kernel calls this thread; 0 before it runs. */
    private volatile int kernelThread;

    RingThread(RingPool pool, CarrierThread carrier, RingQueue first, boolean registers) {
        this.pool = pool;
        this.carrier = carrier;
        this.registers = registers;
        given = first;
    }

    /** Lets it own a queue, or end if that is null. */
    void give(RingQueue queue) {
        given = queue;
        wake.release();
    }

    int kernelThread() {
        return kernelThread;
    }

    @Override
    public void run() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            kernelThread = Processors.thread(calls);
            carrier.serves(this);
            RingQueue queue = given;
            if (registers) {
                pin(calls, queue);
                pool.registered(queue.register(calls));
            }
            if (queue == null) {
                queue = idle();
            }
            while (queue != null) {
                serve(calls, queue);
                queue = idle();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("a thread that serves FUSE over io_uring ends, and with it the mount", e);
            pool.failed();
            throw e;
        } finally {
            pool.done(this);
        }
    }

    private RingQueue idle() {
        pool.idle(this);
        wake.acquireUninterruptibly();
        return given;
    }

    private void pin(SystemCalls calls, RingQueue queue) {
        if (pinnedTo != queue.processor) {
            Processors.pin(calls, queue.processor); // where that is not possible it runs anywhere, which is slower only
            pinnedTo = queue.processor;
        }
    }

    private void serve(SystemCalls calls, RingQueue queue) {
        pin(calls, queue);
        owned = queue;
        while (!pool.hasFailed() && queue.goesOn(pool.stopping())) {
            queue.await(calls, pool.stopping());
            for (RingPlace place = queue.next(calls); place != null; place = queue.next(calls)) {
                current = place;
                place.answer();
                if (owned != queue) {
                    queue.handIn(calls, place);
                    return;
                }
                queue.commit(place);
            }
        }
        queue.flush(calls);
        owned = null;
        pool.ended(queue);
    }

    /** The request is about to wait: lets another thread own the queue. Without one to spare it stays. */
    void handOver() {
        RingQueue queue = owned;
        if (queue == null) {
            return;
        }
        queue.handOut();
        owned = null;
        if (!pool.serve(queue)) {
            owned = queue;
            queue.takeBack();
        }
    }

    @Override
    public void waiting() {
        handOver();
        current.worker().waiting();
    }

    @Override
    public void resumed() {
        current.worker().resumed();
    }
}
