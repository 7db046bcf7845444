// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** What is done under handles. */
final class Handles {
    private final State state;
    private final Commits commits;
    private final int size;

    /** @param size credits that a transaction has */
    Handles(State state, Commits commits, int size) {
        this.state = state;
        this.commits = commits;
        this.size = size;
    }

    OrphanList orphans() {
        return state.currentOrphans();
    }

    /** Waits for barrier and commit, commits itself if the transaction is full, and gives the handle its credits. */
    void join(PlainHandle handle, int credits, int orphanChanges) {
        state.lock.lock();
        try {
            state.checkNoHandleLocked();
            if (state.barrier == handle.owner) {
                throw new IllegalStateException("the calling thread holds the barrier and would wait for itself");
            }
            while (true) {
                int need = Math.addExact(credits, state.orphans == null ? 0 : state.orphans.credits(orphanChanges));
                if (need > size) {
                    throw new IllegalArgumentException(need + " credits, a transaction holds " + size);
                }
                if (state.abortCause != null) {
                    throw ErrnoException.of(Errno.EROFS);
                }
                if (state.barrier != null || state.committing) {
                    state.tally.startWaits++;
                    state.awaitLocked();
                } else if (state.closed) {
                    throw JournalClosedException.INSTANCE;
                } else if (state.running.granted + need > size) {
                    commits.commitLocked(state.running.tid);
                } else {
                    openLocked(handle, need);
                    return;
                }
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void openLocked(PlainHandle handle, int credits) {
        state.running.granted += credits;
        state.running.since = state.running.since == 0 ? System.nanoTime() | 1 : state.running.since;
        handle.transaction = state.running;
        handle.credits = credits;
        state.handles.put(handle.owner, handle);
        state.tally.handles++;
        state.changed.signalAll();
    }

    void end(PlainHandle handle) {
        state.locked(() -> {
            if (handle.transaction != null) {
                handle.transaction.granted -= handle.credits;
                handle.transaction = null;
                handle.credits = 0;
                state.handles.remove(handle.owner, handle);
                state.changed.signalAll();
            }
        });
    }

    /** A version that waits for its place is never modified: the block gets a copy first. */
    @SuppressWarnings("ReferenceEquality") // that array, not one with the same content
    byte[] write(PlainHandle handle, MetaBlock block) {
        state.lock.lock();
        try {
            Transaction transaction = handle.open();
            long pblk = block.pblk();
            if (transaction.blocks.containsKey(pblk)) {
                return block.data();
            }
            handle.spend(1);
            transaction.blocks.put(pblk, block);
            transaction.revokes.remove(pblk);
            transaction.forgotten.remove(pblk);
            Version waiting = state.home.get(pblk);
            if (waiting != null && waiting.bytes() == block.data()) {
                synchronized (block) {
                    block.publish(waiting.bytes().clone());
                }
            }
        } finally {
            state.lock.unlock();
        }
        block.pin();
        return block.data();
    }

    byte[] writeJoined(PlainHandle handle, MetaBlock block) {
        state.lock.lock();
        try {
            return handle.open().blocks.containsKey(block.pblk()) ? block.data() : null;
        } finally {
            state.lock.unlock();
        }
    }

    void forget(PlainHandle handle, long pblk) {
        MetaBlock joined;
        state.lock.lock();
        try {
            Transaction transaction = handle.open();
            transaction.revokes.add(pblk);
            if (state.home.containsKey(pblk)) {
                transaction.forgotten.add(pblk);
            }
            joined = transaction.blocks.remove(pblk);
        } finally {
            state.lock.unlock();
        }
        if (joined != null) {
            joined.unpin();
        }
    }

    void reserveForClosing(PlainHandle handle, int credits) {
        state.locked(() -> {
            Transaction transaction = handle.open();
            handle.spend(credits);
            transaction.closing += credits;
        });
    }

    boolean extend(PlainHandle handle, int credits) {
        state.lock.lock();
        try {
            Transaction transaction = handle.open();
            if (state.abortCause != null || transaction.granted + credits > size) {
                return false;
            }
            transaction.granted += credits;
            handle.credits += credits;
            return true;
        } finally {
            state.lock.unlock();
        }
    }

    /** All credits that the running transaction has left; a full one is committed first. */
    PlainHandle barrierHandle() {
        state.lock.lock();
        try {
            if (state.running.granted > size / 4 * 3) {
                commits.commitLocked(state.running.tid);
            }
            while (state.committing) {
                state.awaitLocked();
            }
            if (state.closed) {
                throw JournalClosedException.INSTANCE;
            }
            PlainHandle handle = new PlainHandle(this, PlainHandle.Kind.BARRIER);
            openLocked(handle, size - state.running.granted);
            return handle;
        } finally {
            state.lock.unlock();
        }
    }
}
