// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.journal.JournalHost;
import ext4.api.orphan.OrphanList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commit, checkpoint and abort. Whoever commits or checkpoints has the turn, which is no lock but a mark, so that nothing is
 * locked while the device works, or host and orphan list are called.
 */
final class Commits {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    private final State state;
    private final JournalHost host;
    private final LogWriter log; // of whoever has the turn
    private final int size;
    private final long mostWaiting;

    /** What is done under handles, that of closing too. */
    final Handles handles;

    /**
     * @param size credits that a transaction has
     * @param mostWaiting versions that may wait for checkpoint
     */
    Commits(State state, JournalHost host, LogWriter log, int size, long mostWaiting) {
        this.state = state;
        this.host = host;
        this.log = log;
        this.size = size;
        this.mostWaiting = mostWaiting;
        this.handles = new Handles(state, this, size);
    }

    /** Returns when {@code tid} is durable, or the journal is closed or aborted. Gives the lock away meanwhile. */
    void commitLocked(long tid) {
        if (tid > state.running.tid && !state.closed) {
            throw new IllegalArgumentException("transaction " + tid + " has not begun");
        }
        while (state.durable < tid && !state.closed && state.abortCause == null) {
            if (state.turn != null) {
                state.checkNotMyTurnLocked();
                state.awaitLocked();
                continue;
            }
            takeTurnLocked();
            state.committing = true;
            try {
                while (!state.handles.isEmpty() && state.abortCause == null) {
                    state.awaitLocked();
                }
                if (state.abortCause == null) {
                    state.unlocked(() -> {
                        commitTransaction(state.running);
                    });
                }
            } finally {
                state.committing = false;
                endTurnLocked();
            }
        }
    }

    /** With the turn, and no handle open. Whatever goes wrong aborts the journal: nothing after it may become durable. */
    private void commitTransaction(Transaction transaction) {
        try {
            close(transaction);
            if (!transaction.isEmpty()) {
                Map<Long, Version> versions = freeze(transaction);
                int need = log.blocksFor(versions.size(), transaction.revokes.size());
                if (need > log.free()) {
                    writeHome();
                }
                log.write(versions.values(), transaction.revokes);
                if (state.currentAbort() != null) {
                    return;
                }
                log.commit();
                settle(transaction, versions);
            }
            Transaction next = new Transaction(transaction.tid + 1);
            state.locked(() -> state.running = next);
            host.committed(transaction.tid);
            state.locked(() -> state.durable = transaction.tid);
            if (waiting() > mostWaiting) {
                writeHome();
            }
        } catch (RuntimeException | Error failure) {
            abort(failure);
        }
    }

    /** The last changes of the transaction: what the orphan list and the host have put off. */
    private void close(Transaction transaction) {
        OrphanList list = state.currentOrphans();
        if (transaction.isEmpty() && (list == null || !list.pending())) {
            return;
        }
        PlainHandle handle = new PlainHandle(handles, PlainHandle.Kind.CLOSING);
        state.locked(() -> {
            handle.transaction = transaction;
            handle.credits = size - transaction.granted + transaction.closing;
        });
        if (list != null) {
            list.closing(handle);
        }
        host.closing(handle);
        state.locked(() -> handle.transaction = null);
    }

    private Map<Long, Version> freeze(Transaction transaction) {
        Map<Long, Version> versions = new LinkedHashMap<>();
        transaction.blocks.forEach((pblk, block) -> {
            byte[] bytes = block.data();
            block.seal(bytes);
            versions.put(pblk, new Version(block, bytes));
        });
        return versions;
    }

    /** It is in the log: its versions wait for their places, older ones and those of freed blocks no longer do. */
    private void settle(Transaction transaction, Map<Long, Version> versions) {
        Map<Long, Version> dropped = new LinkedHashMap<>();
        state.locked(() -> {
            for (long pblk : transaction.forgotten) {
                Version freed = state.home.remove(pblk); // null if a checkpoint wrote it meanwhile
                if (freed != null) {
                    dropped.put(pblk, freed);
                }
            }
            versions.forEach((pblk, version) -> {
                Version older = state.home.put(pblk, version);
                if (older != null) {
                    dropped.put(pblk, older);
                }
            });
            transaction.blocks.clear(); // their pins are the versions' now
            state.tally.transactions++;
            state.tally.blocks += versions.size();
            state.tally.revokes += transaction.revokes.size();
        });
        dropped.values().forEach(version -> version.block().unpin());
    }

    private int waiting() {
        state.lock.lock();
        try {
            return state.home.size();
        } finally {
            state.lock.unlock();
        }
    }

    void checkpoint() {
        state.lock.lock();
        try {
            state.checkNoHandleLocked();
            while (state.turn != null && !state.closed) {
                state.checkNotMyTurnLocked();
                state.awaitLocked();
            }
            if (state.abortCause != null) {
                throw new DeviceException("checkpoint: the journal aborted", state.abortCause);
            }
            if (state.closed) {
                return;
            }
            takeTurnLocked();
            try {
                state.unlocked(this::writeHomeOrAbort);
            } finally {
                endTurnLocked();
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void writeHomeOrAbort() {
        try {
            writeHome();
        } catch (DeviceException e) {
            abort(e);
            throw e;
        }
    }

    /** With the turn: all that is durable goes to its place, and the log is empty. A throw has lost nothing. */
    private void writeHome() {
        Map<Long, Version> versions = new LinkedHashMap<>();
        state.locked(() -> versions.putAll(state.home));
        versions.keySet().stream()
                .sorted()
                .forEach(pblk -> log.writeHome(pblk, versions.get(pblk).bytes()));
        log.flush();
        log.recordEmpty();
        state.locked(() -> {
            state.home.clear();
            state.tally.checkpointed += versions.size();
        });
        versions.values().forEach(version -> version.block().unpin());
    }

    void abort(Throwable cause) {
        state.lock.lock();
        try {
            if (state.closed || state.abortCause != null) {
                return;
            }
            state.abortCause = cause;
            state.abortUnrecorded = true;
            state.changed.signalAll();
            if (state.turn == null) {
                takeTurnLocked();
                endTurnLocked();
            }
        } finally {
            state.lock.unlock();
        }
        LOG.error("the journal aborted", cause);
        host.aborted(cause);
    }

    private void takeTurnLocked() {
        state.turn = Thread.currentThread();
    }

    /** Whoever ends a turn writes into the log that the journal aborted meanwhile: it is nobody else's now. */
    private void endTurnLocked() {
        if (state.abortUnrecorded) {
            state.abortUnrecorded = false;
            Errno errno = state.abortCause instanceof Ext4Exception e ? e.errno() : Errno.EIO;
            state.unlocked(() -> {
                try {
                    log.recordError(-errno.number());
                } catch (DeviceException e) {
                    LOG.warn("the journal superblock does not tell of the abort", e);
                }
            });
        }
        state.turn = null;
        state.changed.signalAll();
    }
}
