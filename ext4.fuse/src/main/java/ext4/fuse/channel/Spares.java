// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for readers that wait inside a request, as fsync does for the device: without it a few of those would leave
 * nobody to read. A parked spare reader is let in for each, and one leaves again for each that is back. One that idles
 * may stay until its next request, which costs nothing. Nothing here is touched by requests that do not block.
 */
final class Spares implements RequestHandler.Blocking {
    /** More than there will ever be. */
    private static final int MOST = 1 << 12;

    private final Semaphore places = new Semaphore(0);
    private final AtomicInteger surplus = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Makes one more spare reader; does nothing if that is not possible. */
    private final Runnable more;
    /** How many there are. */
    private final AtomicInteger count;

    private volatile boolean ended;
    private volatile boolean stopped;

    Spares(int count, Runnable more) {
        this.count = new AtomicInteger(count);
        this.more = more;
    }

    @Override
    public void begin() {
        int needed = waiting.incrementAndGet();
        for (int has = count.get(); has < needed; has = count.get()) {
            if (count.compareAndSet(has, has + 1)) {
                more.run();
            }
        }
        places.release();
    }

    @Override
    public void end() {
        waiting.decrementAndGet();
        surplus.incrementAndGet();
    }

    /** Parks the calling spare reader until it is needed; false if there will be no further need. */
    boolean enter() {
        places.acquireUninterruptibly();
        return !ended;
    }

    /** Whether the calling spare reader is one too many. */
    boolean leave() {
        int seen = surplus.get();
        while (seen > 0) {
            if (surplus.compareAndSet(seen, seen - 1)) {
                return true;
            }
            seen = surplus.get();
        }
        return false;
    }

    /** Whether every reader is to end after the request it has: a busy one never waits for the word. */
    boolean stopped() {
        return stopped;
    }

    /** All readers are to end. */
    void stop() {
        stopped = true;
        dismiss();
    }

    /** The connection is gone: lets all spare readers go. */
    void dismiss() {
        ended = true;
        places.release(MOST);
    }

    /**
     * Readers are not to end after all. Requests begin and end to wait meanwhile; the order is such that a spare reader too
     * many may be let in, and never one too few.
     */
    void again() {
        stopped = false;
        ended = false;
        places.drainPermits();
        places.release(waiting.get());
        surplus.set(0);
    }
}
