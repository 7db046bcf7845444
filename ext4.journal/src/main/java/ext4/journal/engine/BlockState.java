// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.MetaBlock;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the journal knows about one block: which version of it belongs to whom. Every field is guarded by the block's
 * monitor. The object exists, and pins the block, while any field is set.
 *
 * <p>A version moves from joined (the current array, being modified) to committing (frozen, on its way to the log) to
 * durable (in the log, not yet in its place). The newest durable version replaces an older one: the older one's
 * transaction no longer needs to stay in the log for it.
 */
@SuppressWarnings("ReferenceEquality") // versions are told apart by which array they are, not by what is in it
public final class BlockState {
    private final MetaBlock block;
    private volatile Transaction joined; // written under block's monitor, read without by handles of that transaction
    private byte[] committing; // guarded by block
    private byte[] durable; // guarded by block
    private AtomicInteger home; // guarded by block

    BlockState(MetaBlock block) {
        this.block = block;
    }

    /** The block. */
    public MetaBlock block() {
        return block;
    }

    /** Whether the block is part of {@code tx}. Needs no monitor while a handle of {@code tx} is open. */
    boolean isJoined(Transaction tx) {
        return joined == tx;
    }

    /** Joins {@code tx}; copies the current version if it is frozen. Returns whether it did. */
    boolean joinLocked(Transaction tx) {
        byte[] data = block.data();
        boolean frozen = data == committing || data == durable;
        if (frozen) {
            block.publish(data.clone());
        }
        joined = tx; // last: whoever sees it takes the version without the monitor
        return frozen;
    }

    /** Freezes the current version if the block is still part of {@code tx}; else null. */
    byte[] freeze(Transaction tx) {
        synchronized (block) {
            if (joined != tx) {
                return null;
            }
            joined = null;
            committing = block.data();
            return committing;
        }
    }

    /** Takes the block out of {@code tx}; returns whether a version of an earlier transaction is still kept. */
    boolean forgetLocked(Transaction tx) {
        if (joined == tx) {
            joined = null;
        }
        return committing != null || durable != null;
    }

    /** Whether nothing is kept; the caller then detaches the state and unpins the block. */
    boolean isIdleLocked() {
        return joined == null && committing == null && durable == null;
    }

    /** The frozen {@code version} is durable in the log: it waits for checkpoint, counted in {@code waiting}. */
    public void logged(byte[] version, AtomicInteger waiting) {
        synchronized (block) {
            if (committing != version) {
                return;
            }
            committing = null;
            if (home != null) {
                home.decrementAndGet();
            }
            durable = version;
            home = waiting;
            waiting.incrementAndGet();
        }
    }

    /** The version that waits for checkpoint on behalf of {@code waiting}, or null if a newer one does or none. */
    public byte[] waitingFor(AtomicInteger waiting) {
        synchronized (block) {
            return home == waiting ? durable : null;
        }
    }

    /** {@code version} is in its place and nothing more is to be done for it. */
    public void written(byte[] version) {
        boolean idle;
        synchronized (block) {
            if (committing == version) {
                committing = null;
            }
            if (durable == version) {
                leaveHomeLocked();
            }
            idle = detachIfIdleLocked();
        }
        if (idle) {
            block.unpin();
        }
    }

    /** The freeing of the block is durable: what waits for checkpoint must never be written. */
    public void dropDurable() {
        boolean idle;
        synchronized (block) {
            if (durable != null) {
                leaveHomeLocked();
            }
            idle = detachIfIdleLocked();
        }
        if (idle) {
            block.unpin();
        }
    }

    /** The journal ends without writing anything more: forgets all versions. */
    public void abandon() {
        boolean attached;
        synchronized (block) {
            attached = block.journalState() == this;
            joined = null;
            committing = null;
            if (durable != null) {
                leaveHomeLocked();
            }
            detachIfIdleLocked();
        }
        if (attached) {
            block.unpin();
        }
    }

    private void leaveHomeLocked() {
        home.decrementAndGet();
        home = null;
        durable = null;
    }

    /** Whether the state was attached and no longer is. */
    boolean detachIfIdleLocked() {
        if (!isIdleLocked() || block.journalState() != this) {
            return false;
        }
        block.journalState(null);
        return true;
    }
}
