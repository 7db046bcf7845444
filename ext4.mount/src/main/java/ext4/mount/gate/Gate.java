// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.RequestThread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the requests that run, a stripe for each few threads, and holds those that need a missing part.
 *
 * <p>An open gate costs two atomic additions on a line of memory that the thread's stripe has for itself. A request
 * increments, then reads which classes are closed; whoever closes writes that first and then sums: so either the request
 * sees that it must wait, or the sum sees the request.
 *
 * <p>Lock order: the gate's lock is taken by requests that hold nothing, and by the coordinator. Nothing is called with
 * it held.
 */
public final class Gate {
    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    /** Longs between stripes: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 16;

    private static final Need[] NEEDS = Need.values();

    private final String name;
    private final int stripeMask;
    private final AtomicLongArray running;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** What to do about each missing part. Guarded by lock. */
    private final Map<Part, Supplier<String>> missing = new EnumMap<>(Part.class);
    /** Parts that are about to be there. Guarded by lock. */
    private final Set<Part> held = EnumSet.noneOf(Part.class);
    /** Parts whose absence has made a request fail, so that it is logged once. Guarded by lock. */
    private final Map<Part, Verb> complained = new EnumMap<>(Part.class);
    /** Whether the request that each waiting thread brought was interrupted. Guarded by lock. */
    private final Map<Thread, Boolean> waiting = new HashMap<>();
    /** Set of {@link Need#bit}s. Written under lock. */
    private volatile int closed;
    /** Unmounted: everything is refused. Written under lock. */
    private volatile boolean shut;

    private volatile long limitNanos;

    /**
     * @param name what messages call the filesystem, its mount point
     * @param limitNanos how long a request waits for a missing part
     */
    public Gate(String name, long limitNanos) {
        this.name = name;
        this.limitNanos = limitNanos;
        int stripes = Integer.highestOneBit(Math.max(2, Runtime.getRuntime().availableProcessors()) * 8 - 1);
        stripeMask = stripes - 1;
        running = new AtomicLongArray(stripes * STRIDE);
    }

    /** Changes how long a request waits for a missing part. */
    public void limit(long nanos) {
        limitNanos = nanos;
    }

    /**
     * A request begins. Waits while its class is closed.
     *
     * @return what {@link #leave} wants
     * @throws ErrnoException EIO if the limit passed, EINTR if it was interrupted, ENODEV after {@link #shut}
     */
    public int enter(Verb verb) {
        int slot = slot(verb.need());
        running.getAndIncrement(slot);
        if ((closed & verb.need().bit) != 0) {
            enterSlowly(verb, slot);
        }
        return slot;
    }

    /** As {@link #enter}, but where that would wait it returns -1, and nothing has begun. */
    public int tryEnter(Verb verb) {
        int slot = slot(verb.need());
        running.getAndIncrement(slot);
        if ((closed & verb.need().bit) != 0) {
            leave(slot);
            return -1;
        }
        return slot;
    }

    /** A request ended. */
    public void leave(int slot) {
        running.getAndDecrement(slot);
        if (closed != 0) {
            signal();
        }
    }

    /**
     * Holds the requests that need {@code part} from now on; those that run go on, see {@link #drain}.
     *
     * @param remedy what the log tells the operator to do about it when a request failed for want of it
     */
    public void close(Part part, Supplier<String> remedy) {
        lock.lock();
        try {
            missing.put(part, remedy);
            held.remove(part);
            complained.remove(part);
            recomputeLocked();
            changed.signalAll(); // for those held the limit counts from now on
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #close}, while whoever calls it does something to the part that ends: the limit of a missing part does not
     * count for those that wait. {@link #open} or {@link #close} follows.
     */
    public void hold(Part part) {
        lock.lock();
        try {
            held.add(part);
            recomputeLocked();
        } finally {
            lock.unlock();
        }
    }

    /** The part is there: lets go the requests that need nothing else that is missing. */
    public void open(Part part) {
        lock.lock();
        try {
            missing.remove(part);
            held.remove(part);
            recomputeLocked();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses every request from now on, and those that wait, with ENODEV. */
    public void shut() {
        lock.lock();
        try {
            shut = true;
            recomputeLocked();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether requests of the verb's class pass. */
    public boolean isOpen(Verb verb) {
        return (closed & verb.need().bit) == 0;
    }

    /**
     * Waits until no request runs that needs {@code part}, which is closed.
     *
     * @return false if one still ran after {@code nanos}
     */
    public boolean drain(Part part, long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        lock.lockInterruptibly();
        try {
            while (runningThatNeed(part) != 0) {
                if (changed.awaitNanos(deadline - System.nanoTime()) <= 0) {
                    return runningThatNeed(part) == 0;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Requests that run; a sum over stripes, so it may be stale. */
    public long running() {
        return runningThatNeed(Part.CORE);
    }

    /** Requests that wait for a missing part. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait of the request that {@code thread} brought; false if it does not wait here. */
    public boolean interrupt(Thread thread) {
        lock.lock();
        try {
            boolean found = waiting.replace(thread, true) != null;
            changed.signalAll();
            return found;
        } finally {
            lock.unlock();
        }
    }

    private void enterSlowly(Verb verb, int slot) {
        leave(slot);
        Thread thread = Thread.currentThread();
        register(thread);
        try {
            if (thread instanceof RequestThread transport) {
                transport.waiting();
                try {
                    await(verb, slot, thread);
                } finally {
                    transport.resumed();
                }
            } else {
                await(verb, slot, thread);
            }
        } finally {
            unregister(thread);
        }
    }

    /** From now on the request can be interrupted. */
    private void register(Thread thread) {
        lock.lock();
        try {
            waiting.put(thread, false);
        } finally {
            lock.unlock();
        }
    }

    private void unregister(Thread thread) {
        lock.lock();
        try {
            waiting.remove(thread);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the class is open and counts the request as running, or throws and does not. */
    private void await(Verb verb, int slot, Thread thread) {
        List<Supplier<String>> unsaid;
        lock.lock();
        try {
            unsaid = awaitLocked(verb, slot, thread);
        } catch (InterruptedException e) {
            // the caller of an in-process request learns it as that of a system call does
            throw ErrnoException.of(Errno.EINTR);
        } finally {
            lock.unlock();
        }
        if (unsaid != null) {
            unsaid.forEach(remedy -> complain(verb, remedy));
            throw ErrnoException.of(Errno.EIO);
        }
    }

    /** Returns null if the class is open, or what is to be said if the limit passed. */
    private List<Supplier<String>> awaitLocked(Verb verb, int slot, Thread thread) throws InterruptedException {
        int bit = verb.need().bit;
        long since = System.nanoTime();
        while (!shut) {
            if ((closed & bit) == 0) {
                running.getAndIncrement(slot); // closing takes the lock too
                return null;
            }
            if (waiting.get(thread)) {
                throw ErrnoException.of(Errno.EINTR);
            }
            if (!missesLocked(verb)) {
                changed.await();
                since = System.nanoTime();
                continue;
            }
            long left = since + limitNanos - System.nanoTime();
            if (left <= 0) {
                return complaintsLocked(verb);
            }
            changed.await(left, TimeUnit.NANOSECONDS);
        }
        throw ErrnoException.of(Errno.ENODEV);
    }

    /** Whether a part that the verb needs is missing, and not only held. */
    private boolean missesLocked(Verb verb) {
        return missing.keySet().stream().anyMatch(verb.need()::needs);
    }

    /** Of the missing parts those that no request has failed for yet. */
    private List<Supplier<String>> complaintsLocked(Verb verb) {
        List<Supplier<String>> unsaid = new ArrayList<>();
        for (Map.Entry<Part, Supplier<String>> entry : missing.entrySet()) {
            if (verb.need().needs(entry.getKey()) && complained.putIfAbsent(entry.getKey(), verb) == null) {
                unsaid.add(entry.getValue());
            }
        }
        return unsaid;
    }

    private void complain(Verb verb, Supplier<String> remedy) {
        LOG.error(
                "{}: {} failed with EIO after waiting {} s: {}",
                name,
                verb.text(),
                TimeUnit.NANOSECONDS.toSeconds(limitNanos),
                remedy.get());
    }

    private void recomputeLocked() {
        int set = 0;
        for (Need need : NEEDS) {
            if (shut
                    || missing.keySet().stream().anyMatch(need::needs)
                    || held.stream().anyMatch(need::needs)) {
                set |= need.bit;
            }
        }
        closed = set;
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long runningThatNeed(Part part) {
        long sum = 0;
        for (int stripe = 0; stripe <= stripeMask; stripe++) {
            for (Need need : NEEDS) {
                if (need.needs(part)) {
                    sum += running.get(stripe * STRIDE + need.ordinal());
                }
            }
        }
        return sum;
    }

    private int slot(Need need) {
        return ((int) Thread.currentThread().threadId() & stripeMask) * STRIDE + need.ordinal();
    }
}
