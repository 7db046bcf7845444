// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import ext4.api.journal.MetaBlock;
import java.util.concurrent.atomic.AtomicInteger;

/** A block of a cache that does nothing but hold it. */
public class ModelBlock implements MetaBlock {
    private final long pblk;
    private volatile byte[] data;
    private volatile Object state; // written under this block's monitor
    private final AtomicInteger pins = new AtomicInteger();

    /** A block with that content, which is not copied. */
    public ModelBlock(long pblk, byte[] data) {
        this.pblk = pblk;
        this.data = data;
    }

    @Override
    public long pblk() {
        return pblk;
    }

    @Override
    public byte[] data() {
        return data;
    }

    @Override
    public void publish(byte[] version) {
        if (!Thread.holdsLock(this)) {
            throw new IllegalStateException("published without the block's monitor");
        }
        data = version;
    }

    @Override
    public void seal(byte[] version) {
        Content.seal(version);
    }

    @Override
    public void pin() {
        pins.incrementAndGet();
    }

    @Override
    public void unpin() {
        if (pins.decrementAndGet() < 0) {
            throw new IllegalStateException("block " + pblk + " unpinned too often");
        }
    }

    /** How often it is pinned. */
    public int pins() {
        return pins.get();
    }

    @Override
    public Object journalState() {
        return state;
    }

    @Override
    public void journalState(Object value) {
        if (!Thread.holdsLock(this)) {
            throw new IllegalStateException("journal state set without the block's monitor");
        }
        state = value;
    }
}
