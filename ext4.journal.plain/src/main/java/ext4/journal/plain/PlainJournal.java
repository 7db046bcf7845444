// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.DeviceException;
import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal: its barrier, its clock and its end. Handles and commits are in classes of their own, under the same lock. */
final class PlainJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(PlainJournal.class);

    /** As jbd2: a transaction may fill a quarter of the log. */
    private static final int LOG_SHARE = 4;

    private final State state;
    private final Commits commits;
    private final Handles handles;
    private final int size;
    private final int logBlocks;
    private final long intervalNanos;
    private final Thread clock = CarrierThread.once("ext4-journal-plain", this::watchTheClock);

    /** Starts the clock. */
    PlainJournal(JournalHost host, JournalOptions options, LogWriter log) {
        size = log.capacity() / LOG_SHARE;
        logBlocks = log.capacity();
        intervalNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, options.commitIntervalMillis()));
        state = new State(Math.max(Integer.toUnsignedLong(log.sequence()), host.newestTid() + 1));
        commits = new Commits(state, host, log, size, options.memoryBudget() / 2 / host.blockSize());
        handles = commits.handles;
        clock.start();
    }

    @Override
    public boolean journals() {
        return true;
    }

    @Override
    public void orphans(OrphanList first) {
        state.locked(() -> state.orphans = first);
    }

    @Override
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        if (credits < 0 || orphanChanges < 0) {
            throw new IllegalArgumentException("credits " + credits + ", orphan changes " + orphanChanges);
        }
        PlainHandle handle = new PlainHandle(handles, PlainHandle.Kind.USER);
        handles.join(handle, credits, orphanChanges);
        return handle;
    }

    @Override
    public int maxCredits() {
        return size;
    }

    @Override
    public long runningTid() {
        state.lock.lock();
        try {
            return state.running.tid;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public long durableTid() {
        state.lock.lock();
        try {
            return state.durable;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void commitRunning() {
        commit(runningTid());
    }

    @Override
    public void commit(long tid) {
        state.lock.lock();
        try {
            state.checkNoHandleLocked();
            commits.commitLocked(tid);
            if (state.durable < tid && !state.closed) {
                throw new DeviceException(
                        "the journal aborted before transaction " + tid + " was durable", state.abortCause);
            }
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void checkpoint() {
        commits.checkpoint();
    }

    @Override
    public void abort(Throwable cause) {
        commits.abort(cause);
    }

    @Override
    public Throwable abortCause() {
        return state.currentAbort();
    }

    @Override
    public Barrier lockUpdates() {
        state.lock.lock();
        try {
            raiseBarrierLocked();
            if (state.closed) {
                lowerBarrierLocked();
                throw JournalClosedException.INSTANCE;
            }
            state.tally.barriers++;
            return new PlainBarrier(this);
        } finally {
            state.lock.unlock();
        }
    }

    private void raiseBarrierLocked() {
        state.checkNoHandleLocked();
        if (state.barrier == Thread.currentThread()) {
            throw new IllegalStateException("the calling thread holds the barrier");
        }
        while (state.barrier != null) {
            state.awaitLocked();
        }
        state.barrier = Thread.currentThread();
        while (!state.handles.isEmpty() || state.committing) {
            state.awaitLocked();
        }
    }

    private void lowerBarrierLocked() {
        state.barrier = null;
        state.changed.signalAll();
    }

    void lowerBarrier() {
        state.locked(this::lowerBarrierLocked);
    }

    PlainHandle barrierHandle() {
        return handles.barrierHandle();
    }

    void publish(OrphanList list) {
        state.locked(() -> {
            while (state.committing && state.handles.isEmpty()) {
                state.awaitLocked(); // a transaction that is locked finishes closing the old list first
            }
            state.orphans = list;
        });
    }

    @Override
    public void close() {
        state.lock.lock();
        try {
            state.checkNoHandleLocked();
            boolean mine = state.barrier == Thread.currentThread();
            if (!mine) {
                raiseBarrierLocked();
            }
            try {
                if (!state.closed) {
                    state.unlocked(this::closeBehindBarrier);
                }
            } finally {
                if (!mine) {
                    lowerBarrierLocked();
                }
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void closeBehindBarrier() {
        try {
            if (abortCause() == null) {
                commitRunning();
                checkpoint();
            }
        } catch (RuntimeException | Error failure) {
            if (abortCause() != null) {
                letGo();
            }
            throw failure;
        }
        letGo();
    }

    /** No thread, no pin. */
    private void letGo() {
        state.locked(() -> {
            while (state.turn != null) {
                state.awaitLocked(); // somebody writes down that it aborted
            }
            state.closed = true;
            state.changed.signalAll();
        });
        boolean interrupted = false;
        while (clock.isAlive()) {
            try {
                clock.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        state.home.values().forEach(version -> version.block().unpin());
        state.home.clear();
        state.running.blocks.values().forEach(MetaBlock::unpin);
        state.running.blocks.clear();
    }

    private void watchTheClock() {
        state.lock.lock();
        try {
            while (!state.closed && state.abortCause == null) {
                long since = state.running.since;
                long left = since == 0 ? intervalNanos : since + intervalNanos - System.nanoTime();
                if (left <= 0) {
                    commits.commitLocked(state.running.tid);
                } else {
                    state.changed.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("the journal's clock was interrupted: commits come by request only", e);
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public Map<String, Long> counters() {
        state.lock.lock();
        try {
            Map<String, Long> counters = state.tally.counters();
            counters.put("blocks waiting for checkpoint", (long) state.home.size());
            counters.put("log blocks", (long) logBlocks);
            return counters;
        } finally {
            state.lock.unlock();
        }
    }
}
