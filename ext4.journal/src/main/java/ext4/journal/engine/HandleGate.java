// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Counts open handles without a shared counter, and lets one thread wait until there are none.
 *
 * <p>Handles are spread over stripes by thread. A stripe is one word, alone in its cache lines, with a bit for each of its
 * slots: opening a handle sets a bit by compare-and-set, then reads {@link #blocked}; whoever closes the gate sets
 * {@link #blocked}, then reads the words. Both are volatile accesses, which are totally ordered: either the handle sees
 * the gate closed and backs out, or the closer sees the bit and waits for it. A closing handle clears its bit, then reads
 * {@link #blocked}, and wakes the closer.
 *
 * <p>Lock order: {@link #lock} is taken last, with no block's monitor held, and nothing is called under it.
 */
final class HandleGate {
    /** A transaction is being locked. */
    static final int LOCKING = 1;

    /** The barrier is up. */
    static final int BARRIER = 2;

    /** The journal aborted. */
    static final int ABORTED = 4;

    /** The journal is closed. */
    static final int CLOSED = 8;

    /** Words between stripes: two cache lines, for processors that fetch them in pairs. */
    private static final int SPACING = 16;

    private static final long FULL_STRIPE_PAUSE_NANOS = 100_000;

    private final AtomicLongArray open;
    private final Slot[] slots;
    private final int stripeMask;

    /** Set once a stripe overflowed: a thread's handle may then be in any stripe. */
    private volatile boolean spilled;

    private volatile int blocked; // written with lock held

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Thread barrierOwner; // guarded by lock
    private boolean barrierHandleOpen; // guarded by lock

    HandleGate() {
        int processors = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 32);
        int stripes = Integer.highestOneBit(processors * 4);
        stripeMask = stripes - 1;
        open = new AtomicLongArray(stripes * SPACING);
        slots = new Slot[stripes * Long.SIZE];
    }

    /**
     * Claims a slot for a handle of the calling thread; null if the gate is closed.
     *
     * @throws IllegalStateException if the thread has a handle open
     */
    Slot enter(Thread me) {
        int home = home(me);
        if (hasHandle(me, home)) {
            throw new IllegalStateException("this thread has a handle of this journal open");
        }
        for (int stripe = home; blocked == 0; ) {
            int at = stripe * SPACING;
            long word = open.get(at);
            if (word == -1L) {
                spilled = true;
                stripe = (stripe + 1) & stripeMask;
                if (stripe == home) {
                    LockSupport.parkNanos(FULL_STRIPE_PAUSE_NANOS);
                }
                continue;
            }
            int bit = Long.numberOfTrailingZeros(~word);
            if (open.compareAndSet(at, word, word | 1L << bit)) {
                return blocked == 0 ? occupy(stripe, bit, me) : backOut(stripe, bit);
            }
        }
        return null;
    }

    /** Frees the slot. The owner's last access to it comes before. */
    void leave(Slot slot) {
        slot.owner = null;
        clear(slot.index >> 6, slot.index & 63);
    }

    /** Whether the thread has a handle open; exact for the calling thread only. */
    boolean hasHandle(Thread me) {
        return hasHandle(me, home(me));
    }

    private int home(Thread me) {
        return (int) ((me.threadId() * 0x9E3779B97F4A7C15L) >>> 40) & stripeMask;
    }

    private boolean hasHandle(Thread me, int home) {
        if (!spilled) {
            return owns(me, home);
        }
        for (int stripe = 0; stripe <= stripeMask; stripe++) {
            if (owns(me, stripe)) {
                return true;
            }
        }
        return false;
    }

    private boolean owns(Thread me, int stripe) {
        for (long word = open.get(stripe * SPACING); word != 0; word &= word - 1) {
            Slot slot = slots[stripe * Long.SIZE + Long.numberOfTrailingZeros(word)];
            if (slot != null && slot.owner == me) {
                return true;
            }
        }
        return false;
    }

    private Slot occupy(int stripe, int bit, Thread me) {
        int index = stripe * Long.SIZE + bit;
        Slot slot = slots[index];
        if (slot == null) {
            slot = new Slot(index);
            slots[index] = slot;
        }
        slot.owner = me;
        return slot;
    }

    private Slot backOut(int stripe, int bit) {
        clear(stripe, bit);
        return null;
    }

    private void clear(int stripe, int bit) {
        open.getAndAdd(stripe * SPACING, -(1L << bit));
        if (blocked != 0) {
            signal();
        }
    }

    /** Why the gate is closed: a set of the constants above; 0 if it is open. */
    int blocked() {
        return blocked;
    }

    /** Wakes all who wait here. */
    void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits while {@code condition} holds; it is evaluated with the lock held, after each {@link #signal}. */
    void awaitWhile(BooleanSupplier condition) {
        lock.lock();
        try {
            while (condition.getAsBoolean()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the gate is open or the journal aborted. A journal that is closed behind the barrier keeps its starters
     * waiting until the barrier falls: by then its successor is in place.
     *
     * @throws IllegalStateException if the calling thread holds the barrier
     */
    void awaitOpen(Thread me) {
        lock.lock();
        try {
            if (barrierOwner == me) {
                throw new IllegalStateException("start() behind the barrier by the thread that holds it");
            }
            while ((blocked & (LOCKING | BARRIER)) != 0 && (blocked & ABORTED) == 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds a reason that stays. */
    void block(int reason) {
        blockUnless(0, reason, () -> {});
    }

    /** Adds a reason that stays, {@code first} having run, if neither it nor {@code other} stands; whether it did. */
    boolean blockUnless(int other, int reason, Runnable first) {
        lock.lock();
        try {
            if ((blocked & (other | reason)) != 0) {
                return false;
            }
            first.run();
            blocked |= reason;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps handles out and waits until none is open, the barrier's included. Undone by {@link #unlockHandles}. */
    void lockHandles() {
        lock.lock();
        try {
            blocked |= LOCKING;
            while (anyOpen() || barrierHandleOpen) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets handles in again, unless another reason stands. */
    void unlockHandles() {
        lock.lock();
        try {
            blocked &= ~LOCKING;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Raises the barrier: waits for another one, for open handles and for a transaction being locked. */
    void raiseBarrier(Thread me) {
        lock.lock();
        try {
            if (barrierOwner == me) {
                throw new IllegalStateException("this thread holds the barrier already");
            }
            while ((blocked & BARRIER) != 0) {
                changed.awaitUninterruptibly();
            }
            blocked |= BARRIER;
            barrierOwner = me;
            while (anyOpen() || (blocked & LOCKING) != 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    void lowerBarrier() {
        lock.lock();
        try {
            blocked &= ~BARRIER;
            barrierOwner = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The barrier's handle opens; waits for a transaction being locked. */
    void openBarrierHandle() {
        lock.lock();
        try {
            while ((blocked & LOCKING) != 0) {
                changed.awaitUninterruptibly();
            }
            barrierHandleOpen = true;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code action}, which takes no lock, while no transaction is being closed. By the thread with the barrier. */
    void runBetweenClosings(Runnable action) {
        lock.lock();
        try {
            while ((blocked & LOCKING) != 0 && !barrierHandleOpen) {
                changed.awaitUninterruptibly();
            }
            action.run();
        } finally {
            lock.unlock();
        }
    }

    void closeBarrierHandle() {
        lock.lock();
        try {
            barrierHandleOpen = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread holds the barrier. */
    boolean holdsBarrier(Thread me) {
        lock.lock();
        try {
            return barrierOwner == me;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread holds the barrier with its handle open. */
    boolean holdsBarrierHandle(Thread me) {
        lock.lock();
        try {
            return barrierOwner == me && barrierHandleOpen;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code action} on each slot that was ever used: while handles are locked, or racily for counters. */
    void eachSlot(Consumer<Slot> action) {
        for (Slot slot : slots) {
            if (slot != null) {
                action.accept(slot);
            }
        }
    }

    private boolean anyOpen() {
        for (int stripe = 0; stripe <= stripeMask; stripe++) {
            if (open.get(stripe * SPACING) != 0) {
                return true;
            }
        }
        return false;
    }
}
