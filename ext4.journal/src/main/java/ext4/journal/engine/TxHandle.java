// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.Handle;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** A handle: credits and a slot. Used by one thread; {@link #slot} is null when it is closed. */
final class TxHandle implements Handle {
    private final Engine engine;
    private final Thread owner;
    private Slot slot;
    private Transaction tx;
    private int credits;

    TxHandle(Engine engine, Thread owner, Slot slot, Transaction tx, int credits) {
        this.engine = engine;
        this.owner = owner;
        this.slot = slot;
        this.tx = tx;
        this.credits = credits;
    }

    @Override
    public long tid() {
        checkOpen();
        return tx.tid();
    }

    @Override
    public OrphanList orphans() {
        checkOpen();
        return engine.orphanList();
    }

    @Override
    public byte[] write(MetaBlock block) {
        byte[] known = writeJoined(block);
        if (known != null) {
            return known;
        }
        boolean fresh;
        byte[] data;
        synchronized (block) {
            BlockState state = (BlockState) block.journalState();
            fresh = state == null;
            if (!fresh && state.isJoined(tx)) {
                return block.data();
            }
            takeCredits(1);
            if (fresh) {
                state = new BlockState(block);
                block.journalState(state);
            }
            if (state.joinLocked(tx)) {
                slot.copies++;
            }
            slot.add(state);
            data = block.data();
        }
        if (fresh) {
            block.pin();
        }
        tx.revokes.cancel(block.pblk());
        return data;
    }

    @Override
    public byte[] writeJoined(MetaBlock block) {
        checkOpen();
        BlockState state = (BlockState) block.journalState();
        return state != null && state.isJoined(tx) ? block.data() : null;
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        checkOpen();
        if (engine.revokes()) {
            tx.revokes.add(pblk);
        }
        if (block == null) {
            return;
        }
        boolean idle = false;
        synchronized (block) {
            BlockState state = (BlockState) block.journalState();
            if (state == null) {
                return;
            }
            if (state.forgetLocked(tx)) {
                slot.forget(state);
            } else {
                idle = state.detachIfIdleLocked();
            }
        }
        if (idle) {
            block.unpin();
        }
    }

    @Override
    public void reserveForClosing(int count) {
        checkOpen();
        takeCredits(count);
        slot.closing += count;
    }

    @Override
    public int credits() {
        return credits;
    }

    @Override
    public boolean extend(int count) {
        checkOpen();
        if (engine.isAborted() || !slot.take(tx, count)) {
            return false;
        }
        credits += count;
        return true;
    }

    @Override
    public void restart(int count, int orphanChanges) {
        checkOpen();
        if (slot.index < 0) {
            throw new IllegalStateException("the handle of the barrier or of closing cannot restart");
        }
        close();
        engine.join(this, count, orphanChanges);
    }

    @Override
    public void close() {
        Slot mine = slot;
        if (mine == null) {
            return;
        }
        mine.giveBack(credits);
        credits = 0;
        slot = null;
        tx = null;
        engine.leave(mine);
    }

    /** A restart has a slot again. */
    void reopen(Slot newSlot, Transaction newTx, int newCredits) {
        slot = newSlot;
        tx = newTx;
        credits = newCredits;
    }

    private void takeCredits(int count) {
        if (credits < count) {
            throw new IllegalStateException("the handle has " + credits + " credits left, needs " + count);
        }
        credits -= count;
    }

    private void checkOpen() {
        if (slot == null) {
            throw new IllegalStateException("the handle is closed");
        }
        if (owner != Thread.currentThread()) {
            throw new IllegalStateException("the handle belongs to thread " + owner.getName());
        }
    }
}
