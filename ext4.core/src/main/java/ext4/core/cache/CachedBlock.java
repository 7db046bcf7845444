// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

import ext4.api.journal.MetaBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A metadata block in the cache. Held while its pin count is above zero; whoever got it from the cache calls
 * {@link #close} (or {@link #unpin}) once.
 */
public final class CachedBlock implements MetaBlock, AutoCloseable {
    private static final VarHandle PINS;

    static {
        try {
            PINS = MethodHandles.lookup().findVarHandle(CachedBlock.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long pblk;
    final BlockKind kind;

    // guarded by the stripe's monitor
    CachedBlock chain;
    CachedBlock newer;
    CachedBlock older;

    // written under this block's monitor
    private volatile byte[] data;
    private RuntimeException failure;

    // rises from zero only under the stripe's monitor
    @SuppressWarnings("unused")
    private volatile int pins;

    // written under this block's monitor; see MetaBlock.journalState
    private volatile Object journalState;

    CachedBlock(long pblk, BlockKind kind) {
        this.pblk = pblk;
        this.kind = kind;
    }

    @Override
    public long pblk() {
        return pblk;
    }

    /** What it holds. */
    public BlockKind kind() {
        return kind;
    }

    @Override
    public byte[] data() {
        return data;
    }

    @Override
    public void publish(byte[] version) {
        data = version;
    }

    @Override
    public void seal(byte[] version) {
        kind.seal(version, pblk);
    }

    @Override
    public void pin() {
        PINS.getAndAdd(this, 1);
    }

    /** Pins it unless its pin count is zero: then it may have left the cache, and has to be asked for there. */
    public boolean tryPin() {
        for (int count = pins; count > 0; count = pins) {
            if (PINS.compareAndSet(this, count, count + 1)) {
                return true;
            }
        }
        return false;
    }

    /** It left the cache, unpinned: whoever still refers to it must not keep its contents in memory. */
    void evicted() {
        data = null;
    }

    @Override
    public void unpin() {
        if ((int) PINS.getAndAdd(this, -1) <= 0) {
            throw new IllegalStateException("block " + pblk + " unpinned more often than pinned");
        }
    }

    /** As {@link #unpin}: ends the hold that the cache gave. */
    @Override
    public void close() {
        unpin();
    }

    boolean pinned() {
        return pins != 0;
    }

    @Override
    public Object journalState() {
        return journalState;
    }

    @Override
    public void journalState(Object state) {
        journalState = state;
    }

    synchronized void loaded(byte[] bytes) {
        data = bytes;
        notifyAll();
    }

    synchronized void failed(RuntimeException cause) {
        failure = cause;
        notifyAll();
    }

    /** Waits for the thread that loads; true when the block can be used, false when loading it failed. */
    boolean awaitLoaded() {
        if (data != null) {
            return true;
        }
        boolean interrupted = false;
        synchronized (this) {
            while (data == null && failure == null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return data != null;
    }

    RuntimeException failure() {
        return failure;
    }

    @Override
    public String toString() {
        return kind.what() + " in block " + pblk;
    }
}
