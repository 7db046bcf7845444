// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.orphan.OrphanList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction engine behind both providers: handles join the running transaction, the {@link Committer} locks and
 * freezes it, a {@link CommitSink} makes it durable.
 *
 * <p>{@link #running} and {@link #orphans} change only while no handle is open, so an open handle sees one value of each.
 */
public final class Engine implements Journal, CommitSink.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final JournalHost host;
    private final CommitSink sink;
    private final HandleGate gate = new HandleGate();
    private final Committer committer;
    private final int size;
    private final boolean revokes;
    private volatile Transaction running;
    private volatile OrphanList orphans = NoOrphans.INSTANCE;

    /** Set once, before the gate says that the journal aborted. */
    private volatile Throwable abortCause;

    private final LongAdder startWaits = new LongAdder();
    private final LongAdder roomWaits = new LongAdder();
    private final LongAdder barriers = new LongAdder();

    /** Starts the journal's threads. */
    public Engine(JournalHost host, JournalOptions options, CommitSink sink) {
        this.host = host;
        this.sink = sink;
        this.size = sink.transactionSize();
        this.revokes = sink.journals();
        long firstTid = Math.max(sink.firstTid(), host.newestTid() + 1);
        this.running = new Transaction(firstTid, size, sink);
        this.committer = new Committer(this, host, options, sink, gate, firstTid);
        sink.attach(this);
        committer.start();
    }

    @Override
    public boolean journals() {
        return sink.journals();
    }

    @Override
    public void orphans(OrphanList first) {
        orphans = first;
    }

    @Override
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        if (credits < 0 || orphanChanges < 0) {
            throw new IllegalArgumentException("credits " + credits + ", orphan changes " + orphanChanges);
        }
        TxHandle handle = new TxHandle(this, Thread.currentThread(), null, null, 0);
        Slot slot = join(handle, credits, orphanChanges);
        slot.started(kind);
        return handle;
    }

    /** Gives {@code handle} a slot, the running transaction and its credits. */
    Slot join(TxHandle handle, int credits, int orphanChanges) {
        Thread me = Thread.currentThread();
        while (true) {
            Slot slot = gate.enter(me);
            if (slot == null) {
                startWaits.increment();
                gate.awaitOpen(me);
                checkUsable();
                continue;
            }
            Transaction tx = running;
            boolean joined = false;
            int need;
            try {
                need = Math.addExact(credits, orphans.credits(orphanChanges));
                joined = slot.take(tx, need);
            } finally {
                if (!joined) {
                    gate.leave(slot);
                }
            }
            if (joined) {
                handle.reopen(slot, tx, need);
                return slot;
            }
            awaitRoom(tx, need);
        }
    }

    private void awaitRoom(Transaction tx, int need) {
        if (need > size) {
            throw new IllegalArgumentException(need + " credits, a transaction holds " + size);
        }
        roomWaits.increment();
        if (!sink.admits()) {
            sink.relieve();
        }
        if (tx.lacks(need)) {
            committer.request(tx.tid());
        }
        gate.awaitWhile(() -> running == tx && gate.blocked() == 0 && (!sink.admits() || tx.lacks(need)));
    }

    private void checkUsable() {
        if ((gate.blocked() & HandleGate.ABORTED) != 0) {
            throw ErrnoException.of(Errno.EROFS);
        }
        if ((gate.blocked() & HandleGate.CLOSED) != 0) {
            throw JournalClosedException.INSTANCE;
        }
    }

    /** A handle ends. */
    void leave(Slot slot) {
        Transaction tx = slot.tx;
        if (slot.index < 0) {
            committer.leaveSpecial(slot);
            return;
        }
        gate.leave(slot);
        if (tx.nearlyFull()) {
            committer.request(tx.tid());
        }
    }

    OrphanList orphanList() {
        return orphans;
    }

    /** Whether freed blocks are to be revoked. */
    boolean revokes() {
        return revokes;
    }

    Transaction running() {
        return running;
    }

    /** Makes the next transaction the running one; the gate is locked. */
    void nextTransaction() {
        running = new Transaction(running.tid() + 1, size, sink);
    }

    @Override
    public int maxCredits() {
        return size;
    }

    @Override
    public long runningTid() {
        return running.tid();
    }

    @Override
    public long durableTid() {
        return committer.durableTid();
    }

    @Override
    public void commit(long tid) {
        checkNoHandle();
        if (tid > running.tid()) {
            throw new IllegalArgumentException("transaction " + tid + " has not begun");
        }
        committer.await(tid);
    }

    @Override
    public void commitRunning() {
        commit(running.tid());
    }

    @Override
    public void checkpoint() {
        checkNoHandle();
        if (isAborted()) {
            throw new DeviceException("checkpoint: the journal aborted", abortCause);
        }
        if (!isClosed()) {
            sink.checkpoint();
        }
    }

    @Override
    public Barrier lockUpdates() {
        checkNoHandle();
        gate.raiseBarrier(Thread.currentThread());
        if (isClosed()) {
            gate.lowerBarrier();
            throw JournalClosedException.INSTANCE;
        }
        barriers.increment();
        return new HeldBarrier(this, gate, committer);
    }

    /** Replaces the orphan list; behind the barrier, no transaction being locked. */
    void publish(OrphanList list) {
        orphans = list;
    }

    private void checkNoHandle() {
        Thread me = Thread.currentThread();
        if (gate.hasHandle(me) || gate.holdsBarrierHandle(me)) {
            throw new IllegalStateException("the calling thread has a handle open and would wait for itself");
        }
    }

    @Override
    public void abort(Throwable cause) {
        if (markAborted(cause)) {
            announceAbort();
        }
    }

    /** First half of an abort, safe under any lock: nothing is written from now on. True for the first caller. */
    boolean markAborted(Throwable cause) {
        return gate.blockUnless(HandleGate.CLOSED, HandleGate.ABORTED, () -> abortCause = cause);
    }

    /** Second half, holding nothing: records it and tells the host. */
    void announceAbort() {
        Throwable cause = abortCause;
        LOG.error("the journal aborted", cause);
        Errno errno = cause instanceof Ext4Exception e ? e.errno() : Errno.EIO;
        sink.recordError(-errno.number());
        committer.signalWaiters();
        host.aborted(cause);
    }

    @Override
    public Throwable abortCause() {
        return abortCause;
    }

    boolean isClosed() {
        return (gate.blocked() & HandleGate.CLOSED) != 0;
    }

    boolean isAborted() {
        return (gate.blocked() & HandleGate.ABORTED) != 0;
    }

    @Override
    public void roomChanged() {
        gate.signal();
    }

    @Override
    public void failed(Throwable cause) {
        abort(cause);
    }

    @Override
    public boolean aborted() {
        return isAborted();
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        SlotTotals totals = new SlotTotals();
        gate.eachSlot(totals);
        totals.count(counters);
        counters.put("handle waits for lock or barrier", startWaits.sum());
        counters.put("handle waits for room", roomWaits.sum());
        counters.put("barriers", barriers.sum());
        committer.count(counters);
        sink.count(counters);
        return counters;
    }

    @Override
    public void close() {
        checkNoHandle();
        Thread me = Thread.currentThread();
        if (gate.holdsBarrier(me)) {
            closeBehindBarrier();
            return;
        }
        gate.raiseBarrier(me);
        try {
            closeBehindBarrier();
        } finally {
            gate.lowerBarrier();
        }
    }

    private void closeBehindBarrier() {
        if (isClosed()) {
            return;
        }
        try {
            if (!isAborted()) {
                commitRunning();
                sink.checkpoint();
            }
        } catch (RuntimeException | Error failure) {
            if (isAborted()) {
                end();
            }
            throw failure;
        }
        end();
    }

    /** Who starts from now on hears that it is closed, and no abort comes any more: the log may be a successor's. */
    private void end() {
        if (!gate.blockUnless(HandleGate.ABORTED, HandleGate.CLOSED, () -> {})) {
            gate.block(HandleGate.CLOSED);
        }
        committer.stop();
        sink.close(isAborted());
    }
}
