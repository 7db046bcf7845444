// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * The metadata blocks in memory, bounded in bytes. Striped by block number; a hit takes its stripe's monitor for a few
 * instructions, loading happens outside it. Each stripe evicts the block that was not used for longest and is not
 * pinned; when all are pinned (by a journal that has to write them) it grows beyond its share until they are not.
 */
public final class BlockCache {
    private static final int STRIPES = 64;

    private final BlockDevice device;
    private final int blockSize;
    private final long blocksCount;
    private final CacheStripe[] stripes = new CacheStripe[STRIPES];
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /**
     * @param blockSize bytes of a block
     * @param blocksCount blocks of the filesystem; no block at or past it is ever read
     * @param budget bytes of block contents to keep, at least a few blocks a stripe are kept whatever it says
     */
    public BlockCache(BlockDevice device, int blockSize, long blocksCount, long budget) {
        this.device = device;
        this.blockSize = blockSize;
        this.blocksCount = blocksCount;
        int share = (int) Math.clamp(budget / blockSize / STRIPES, 4, 1 << 20);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new CacheStripe(share);
        }
    }

    /**
     * The block, loaded and verified, and held for the caller.
     *
     * @throws CorruptException if it does not hold what {@code kind} says, or lies outside the filesystem
     * @throws DeviceException if it cannot be read; its cause is an {@link UnreadableBlock}
     */
    public CachedBlock get(long pblk, BlockKind kind) {
        check(pblk, kind);
        CacheStripe stripe = stripe(pblk);
        CachedBlock block = stripe.find(pblk);
        if (block == null) {
            CachedBlock fresh = new CachedBlock(pblk, kind);
            block = stripe.insertIfAbsent(fresh);
            if (block == fresh) {
                misses.increment();
                load(stripe, fresh);
                return fresh;
            }
        }
        hits.increment();
        if (!block.awaitLoaded()) {
            block.unpin();
            throw block.failure();
        }
        if (!block.kind.sameAs(kind)) {
            block.unpin();
            throw new CorruptException(kind.what(), pblk, "block", "in use as " + block.kind.what(), kind.what());
        }
        return block;
    }

    /** A freshly allocated block of zeros, held for the caller; nothing is read. Any older content is dropped. */
    public CachedBlock getNew(long pblk, BlockKind kind) {
        check(pblk, kind);
        CachedBlock block = new CachedBlock(pblk, kind);
        block.loaded(new byte[blockSize]);
        stripe(pblk).replace(block);
        return block;
    }

    /** The block if it is in memory, held for the caller, else null. */
    public CachedBlock peek(long pblk) {
        CachedBlock block = stripe(pblk).find(pblk);
        if (block == null || block.awaitLoaded()) {
            return block;
        }
        block.unpin();
        return null;
    }

    /** The block was freed: it leaves the cache, so that the next use of its number begins anew. */
    public void drop(long pblk) {
        stripe(pblk).remove(pblk);
    }

    /** Bytes of block contents in memory. */
    public long bytes() {
        long blocks = 0;
        for (CacheStripe stripe : stripes) {
            blocks += stripe.count();
        }
        return blocks * blockSize;
    }

    /** Times a block was found in memory. */
    public long hits() {
        return hits.sum();
    }

    /** Times a block had to be loaded. */
    public long misses() {
        return misses.sum();
    }

    private void load(CacheStripe stripe, CachedBlock block) {
        try {
            byte[] bytes = new byte[blockSize];
            if (!block.kind.synthesize(bytes, block.pblk)) {
                read(block, bytes);
                block.kind.verify(bytes, block.pblk);
            }
            block.loaded(bytes);
        } catch (RuntimeException | Error e) {
            stripe.remove(block);
            block.failed(e instanceof RuntimeException known ? known : new IllegalStateException(e));
            throw e;
        }
    }

    private void read(CachedBlock block, byte[] bytes) {
        try {
            device.read(block.pblk * blockSize, ByteBuffer.wrap(bytes));
        } catch (DeviceException e) {
            UnreadableBlock which = new UnreadableBlock(block.kind, block.pblk, e);
            throw new DeviceException(which.getMessage() + ": " + e.getMessage(), which);
        }
    }

    private void check(long pblk, BlockKind kind) {
        if (pblk < 0 || pblk >= blocksCount) {
            throw new CorruptException(
                    kind.what(), -1, "block number", Long.toUnsignedString(pblk), "below " + blocksCount);
        }
    }

    private CacheStripe stripe(long pblk) {
        return stripes[(int) (pblk * 0x9E3779B97F4A7C15L >>> 58)];
    }
}
