// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.DeviceException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.orphan.OrphanList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The commit thread. It locks the running transaction only after the one before it is durable, so there is one committing
 * transaction at most; all who ask for a commit meanwhile share the next one.
 */
final class Committer implements Runnable {
    private final Engine engine;
    private final JournalHost host;
    private final CommitSink sink;
    private final HandleGate gate;
    private final long intervalNanos;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();
    private boolean stopping; // guarded by lock
    private final List<Slot> finishedSpecials = new ArrayList<>(); // guarded by lock

    /** The newest transaction that somebody wants durable; written with lock held. */
    private volatile long requested;

    /** The newest durable transaction; written by the commit thread. */
    private volatile long durable;

    /** The newest durable transaction that the host knows of: waiters return. Written with lock held. */
    private volatile long announced;

    /** What an abort left unfinished; the commit thread's, then, once it has ended, that of whoever joined it. */
    private FrozenTransaction unfinished;

    private final LongAdder transactions = new LongAdder();
    private final LongAdder emptyTransactions = new LongAdder();
    private final LongAdder blocks = new LongAdder();
    private final LongAdder revokes = new LongAdder();
    private final LongAdder commitWaits = new LongAdder();
    private final LongAdder lockedNanos = new LongAdder();

    Committer(
            Engine engine, JournalHost host, JournalOptions options, CommitSink sink, HandleGate gate, long firstTid) {
        this.engine = engine;
        this.host = host;
        this.sink = sink;
        this.gate = gate;
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, options.commitIntervalMillis()));
        this.durable = firstTid - 1;
        this.announced = durable;
        this.requested = durable;
        this.thread = CarrierThread.once("ext4-journal-commit", this);
    }

    void start() {
        thread.start();
    }

    long durableTid() {
        return durable;
    }

    /** Asks for a commit of {@code tid} and does not wait. */
    void request(long tid) {
        if (requested >= tid) {
            return;
        }
        lock.lock();
        try {
            if (requested < tid) {
                requested = tid;
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns when {@code tid} is durable and the host knows, or the journal is closed, all that was begun being durable. */
    void await(long tid) {
        if (announced >= tid) {
            return;
        }
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("the commit thread would wait for itself");
        }
        commitWaits.increment();
        request(tid);
        lock.lock();
        try {
            while (announced < tid && !engine.isAborted() && !stopping) {
                progress.awaitUninterruptibly();
            }
            if (announced < tid && engine.isAborted()) {
                throw new DeviceException(
                        "the journal aborted before transaction " + tid + " was durable", engine.abortCause());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes waiters and the commit thread to look at the abort. */
    void signalWaiters() {
        lock.lock();
        try {
            progress.signalAll();
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends and joins the thread; then lets go of whatever was never made durable. */
    void stop() {
        lock.lock();
        try {
            stopping = true;
            work.signal();
            progress.signalAll();
        } finally {
            lock.unlock();
        }
        Threads.join(thread);
        gate.lockHandles();
        if (unfinished != null) {
            unfinished.abandon();
        }
        FrozenTransaction rest = new FrozenTransaction(engine.runningTid());
        harvest(engine.running(), rest);
        rest.abandon();
        gate.unlockHandles();
    }

    @Override
    public void run() {
        while (awaitWork()) {
            try {
                commitRunning();
            } catch (Throwable failure) {
                // Whatever it is, a commit that did not happen ends the journal: nothing after it may become durable.
                engine.abort(failure);
            }
        }
    }

    private boolean awaitWork() {
        lock.lock();
        try {
            while (!stopping && !engine.isAborted()) {
                long left = requested > announced ? 0 : untilDue();
                if (left <= 0) {
                    return true;
                }
                work.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread on purpose; going on is right, the wait was only cut short.
            return !stopping;
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** Nanoseconds until the commit interval asks for a commit; a whole interval if nothing has begun. */
    private long untilDue() {
        long since = engine.running().usedSince();
        return since == 0 ? intervalNanos : since + intervalNanos - System.nanoTime();
    }

    private void commitRunning() {
        FrozenTransaction frozen = lockAndFreeze();
        if (frozen == null) {
            return;
        }
        if (frozen.isEmpty()) {
            emptyTransactions.increment();
        } else {
            unfinished = frozen;
            sink.commit(frozen);
            if (engine.isAborted()) {
                return;
            }
            unfinished = null;
            transactions.increment();
            blocks.add(frozen.count());
            revokes.add(frozen.revokes().length);
        }
        durable = frozen.tid();
        host.committed(frozen.tid());
        lock.lock();
        try {
            announced = frozen.tid();
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Null after an abort. */
    private FrozenTransaction lockAndFreeze() {
        gate.lockHandles();
        long begin = System.nanoTime();
        boolean firstFailure = false;
        Transaction tx = engine.running();
        FrozenTransaction frozen = new FrozenTransaction(tx.tid());
        try {
            if (engine.isAborted()) {
                return null;
            }
            close(tx, frozen);
            frozen.freeze(tx);
            engine.nextTransaction();
            return frozen;
        } catch (Throwable failure) {
            // Marked before the gate opens: no handle may join a transaction that lacks its orphans.
            firstFailure = engine.markAborted(failure);
            unfinished = frozen; // what was collected is let go of at the end
            return null;
        } finally {
            lockedNanos.add(System.nanoTime() - begin);
            gate.unlockHandles();
            if (firstFailure) {
                engine.announceAbort();
            }
        }
    }

    private void close(Transaction tx, FrozenTransaction frozen) {
        int credits = harvest(tx, frozen) + tx.grantRest();
        OrphanList orphans = engine.orphanList();
        if (frozen.isEmpty() && tx.revokes.isEmpty() && !orphans.pending()) {
            return;
        }
        Slot slot = new Slot(-1);
        slot.take(tx, 0);
        TxHandle handle = new TxHandle(engine, thread, slot, tx, credits);
        try {
            orphans.closing(handle);
            host.closing(handle);
        } finally {
            slot.harvest(tx, frozen);
        }
    }

    private int harvest(Transaction tx, FrozenTransaction into) {
        int[] credits = {0};
        gate.eachSlot(slot -> credits[0] += slot.harvest(tx, into));
        lock.lock();
        try {
            for (Slot slot : finishedSpecials) {
                credits[0] += slot.harvest(tx, into);
            }
            finishedSpecials.clear();
        } finally {
            lock.unlock();
        }
        return credits[0];
    }

    /** A handle for the thread that holds the barrier, with all credits that the running transaction has left. */
    TxHandle barrierHandle() {
        Transaction tx = engine.running();
        Slot slot = new Slot(-1);
        slot.take(tx, 0);
        return new TxHandle(engine, Thread.currentThread(), slot, tx, tx.grantRest());
    }

    /** A handle that is not in the gate ends: the barrier's, or the one of closing if somebody closes it. */
    void leaveSpecial(Slot slot) {
        if (Thread.currentThread() == thread) {
            return;
        }
        lock.lock();
        try {
            finishedSpecials.add(slot);
        } finally {
            lock.unlock();
        }
        gate.closeBarrierHandle();
    }

    void count(Map<String, Long> counters) {
        counters.put("transactions", transactions.sum());
        counters.put("empty transactions", emptyTransactions.sum());
        counters.put("blocks", blocks.sum());
        counters.put("revokes", revokes.sum());
        counters.put("waits for commit", commitWaits.sum());
        counters.put("microseconds locked", lockedNanos.sum() / 1000);
    }
}
