// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.orphan.OrphanList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the journal knows, and the one lock that guards all of it. Lock order: this one, then a block's monitor. */
final class State {
    final ReentrantLock lock = new ReentrantLock();

    /** Whatever somebody may wait for has changed. */
    final Condition changed = lock.newCondition();

    /** Open handles; the one of closing is none of them. */
    final Map<Thread, PlainHandle> handles = new HashMap<>();

    /** Versions that are durable in the log and not yet in their places. */
    final Map<Long, Version> home = new LinkedHashMap<>();

    final Tally tally = new Tally();
    Transaction running;

    /** Null for none. */
    OrphanList orphans;

    /** Who holds the barrier. */
    Thread barrier;

    /** Who commits or checkpoints, and so may use the log. */
    Thread turn;

    /** A transaction is being committed: no handle starts. */
    boolean committing;

    long durable;
    Throwable abortCause;
    boolean abortUnrecorded;
    boolean closed;

    State(long firstTid) {
        running = new Transaction(firstTid);
        durable = firstTid - 1;
    }

    void checkNoHandleLocked() {
        if (handles.containsKey(Thread.currentThread())) {
            throw new IllegalStateException("the calling thread has a handle open and would wait for itself");
        }
    }

    void checkNotMyTurnLocked() {
        if (turn == Thread.currentThread()) {
            throw new IllegalStateException("called while this thread commits or checkpoints");
        }
    }

    /** One wait; in a loop around it the caller looks whether what it waits for has come. */
    @SuppressWarnings("WaitNotInLoop")
    void awaitLocked() {
        changed.awaitUninterruptibly();
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Runs without the lock, which the caller holds once and gets back. */
    void unlocked(Runnable action) {
        lock.unlock();
        try {
            action.run();
        } finally {
            lock.lock();
        }
    }

    OrphanList currentOrphans() {
        lock.lock();
        try {
            return orphans;
        } finally {
            lock.unlock();
        }
    }

    Throwable currentAbort() {
        lock.lock();
        try {
            return abortCause;
        } finally {
            lock.unlock();
        }
    }
}
