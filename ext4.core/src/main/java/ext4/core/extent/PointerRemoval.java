// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Credits;
import ext4.core.volume.Volume;
import ext4.format.inode.BlockMap;

/**
 * Frees blocks of a file with a block map, the last ones first, and the blocks of pointers that are left without any. A
 * pointer is cleared in the transaction in which its block is freed. The inode's lock is held.
 */
final class PointerRemoval {
    private static final int ROOT_SLOTS = BlockPointers.DIRECT + BlockPointers.MAX_LEVELS;
    /** One block of pointers, and freeing one block. */
    private static final int STEP = 1 + Credits.GROUP;

    private final Volume volume;
    private final BlockAllocator blocks;
    private final InodeStore store;
    private final BlockPointers map;

    PointerRemoval(Volume volume, BlockAllocator blocks, InodeStore store, BlockPointers map) {
        this.volume = volume;
        this.blocks = blocks;
        this.store = store;
        this.map = map;
    }

    /** What is removed, and the handle that it is removed with. */
    private record Range(Handle handle, Inode inode, long from, long to, int orphanChanges) {
        boolean meets(long first, long count) {
            return first < to && first + count > from;
        }
    }

    /** Credits to begin {@link #remove} with; more are asked for as the work goes on. */
    int credits() {
        return STEP + Credits.INODE;
    }

    /** Frees what lies from {@code from} on and before {@code to}; writes the record before each restart and at the end. */
    void remove(Handle handle, Inode inode, long from, long to, int orphanChanges) {
        Range range = new Range(handle, inode, from, to, orphanChanges);
        for (int slot = ROOT_SLOTS - 1; slot >= 0; slot--) {
            long pblk = BlockMap.pointer(inode.iBlock, slot);
            int levels = Math.max(0, slot - BlockPointers.DIRECT + 1);
            long first = first(slot, levels);
            if (pblk == 0 || !range.meets(first, reach(levels))) {
                continue;
            }
            map.kind(inode).check(pblk, -1, slot);
            if (levels == 0 || emptied(range, pblk, levels, first)) {
                ensureCredits(range);
                BlockMap.setPointer(inode.iBlock, slot, 0);
                release(range, pblk, levels > 0);
            }
        }
        store.writeMapping(handle, inode);
    }

    /** The first block of the file below a pointer of i_block. */
    private long first(int slot, int levels) {
        if (levels == 0) {
            return slot;
        }
        long first = BlockPointers.DIRECT;
        for (int i = 1; i < levels; i++) {
            first += reach(i);
        }
        return first;
    }

    /** Blocks of the file below a pointer with so many levels of blocks of pointers. */
    private long reach(int levels) {
        long reach = 1;
        for (int i = 0; i < levels; i++) {
            reach *= map.perBlock();
        }
        return reach;
    }

    /** Frees what of the range is below a block of pointers; whether that has none left. */
    private boolean emptied(Range range, long pblk, int levels, long first) {
        long below = reach(levels - 1);
        boolean empty = true;
        try (CachedBlock block = volume.cache().get(pblk, map.kind(range.inode()))) {
            for (int slot = map.perBlock() - 1; slot >= 0; slot--) {
                long target = BlockMap.pointer(block.data(), slot);
                if (target == 0) {
                    continue;
                }
                long start = first + slot * below;
                boolean goes = range.meets(start, below) && (levels == 1 || emptied(range, target, levels - 1, start));
                if (goes) {
                    ensureCredits(range);
                    BlockMap.setPointer(range.handle().write(block), slot, 0);
                    release(range, target, levels > 1);
                } else {
                    empty = false;
                }
            }
        }
        return empty;
    }

    private void release(Range range, long pblk, boolean pointers) {
        if (pointers) {
            blocks.freeMetadata(range.handle(), pblk);
        } else {
            blocks.freeOf(range.handle(), range.inode(), pblk, 1);
        }
        Inode inode = range.inode();
        inode.sectors = Math.max(0, inode.sectors - volume.sectorsPerBlock());
    }

    private void ensureCredits(Range range) {
        Handle handle = range.handle();
        if (handle.credits() < STEP + Credits.INODE && !handle.extend(STEP + Credits.INODE)) {
            store.writeMapping(handle, range.inode());
            handle.restart(credits(), range.orphanChanges());
        }
    }
}
