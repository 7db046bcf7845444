// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.SystemZone;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Credits;
import ext4.core.volume.Volume;
import ext4.format.inode.BlockMap;
import ext4.format.superblock.Superblock;

/**
 * The block map of an inode without extents: reading it, and freeing all its blocks. Nothing is ever added to one: new
 * files have extents.
 */
final class BlockPointers {
    private static final int ROOT_SLOTS = 15;
    private static final int DIRECT = 12;
    /** One block of pointers, and freeing one block. */
    private static final int STEP = 1 + Credits.GROUP;

    private record Kind(Superblock sb, SystemZone zone, int ino) implements BlockKind {
        @Override
        public String what() {
            return "indirect block of inode " + Integer.toUnsignedString(ino);
        }

        @Override
        public long id() {
            return ino;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            for (int slot = 0; slot < sb.blockSize() / Integer.BYTES; slot++) {
                check(BlockMap.pointer(block, slot), pblk, slot);
            }
        }

        void check(long target, long pblk, int slot) {
            if (target != 0 && (target <= sb.block() || target >= sb.blocksCount() || zone.overlaps(target, 1))) {
                throw new CorruptException(
                        what(), pblk, "pointer " + slot, Long.toString(target), "a block outside fixed metadata");
            }
        }

        @Override
        public void seal(byte[] block, long pblk) {
            // has no checksum
        }
    }

    private final Volume volume;
    private final BlockAllocator blocks;
    private final SystemZone zone;
    private final InodeStore store;

    BlockPointers(Volume volume, BlockAllocator blocks, SystemZone zone, InodeStore store) {
        this.volume = volume;
        this.blocks = blocks;
        this.zone = zone;
        this.store = store;
    }

    /** The run from {@code lblk} on, as far as the pointers of one block tell. */
    void find(Inode inode, long lblk, Mapping out) {
        int bits = volume.superblock().blockBits();
        out.lblk = lblk;
        out.unwritten = false;
        out.pblk = 0;
        out.count = 1;
        int levels = BlockMap.levels((int) lblk, bits);
        if (levels < 0) {
            return;
        }
        Kind kind = kind(inode);
        long pblk = BlockMap.pointer(inode.iBlock, BlockMap.slot((int) lblk, bits, 0));
        kind.check(pblk, -1, 0);
        for (int level = 1; level <= levels && pblk != 0; level++) {
            int slot = BlockMap.slot((int) lblk, bits, level);
            try (CachedBlock block = volume.cache().get(pblk, kind)) {
                pblk = BlockMap.pointer(block.data(), slot);
                if (level == levels && pblk != 0) {
                    out.count = runLength(block.data(), slot, pblk);
                }
            }
        }
        out.pblk = pblk;
    }

    private int runLength(byte[] pointers, int slot, long pblk) {
        int count = 1;
        while (slot + count < volume.blockSize() / Integer.BYTES
                && BlockMap.pointer(pointers, slot + count) == pblk + count) {
            count++;
        }
        return count;
    }

    /** Credits to begin {@link #removeAll} with; more are asked for as the work goes on. */
    int credits() {
        return STEP + Credits.INODE;
    }

    /** Frees all blocks, restarting the handle as needed; writes the record before each restart and at the end. */
    void removeAll(Handle handle, Inode inode, int orphanChanges) {
        for (int slot = ROOT_SLOTS - 1; slot >= 0; slot--) {
            long pblk = BlockMap.pointer(inode.iBlock, slot);
            if (pblk == 0) {
                continue;
            }
            kind(inode).check(pblk, -1, slot);
            int levels = Math.max(0, slot - DIRECT + 1);
            removeBelow(handle, inode, pblk, levels, orphanChanges);
            ensureCredits(handle, inode, orphanChanges);
            BlockMap.setPointer(inode.iBlock, slot, 0);
            release(handle, inode, pblk, levels > 0);
        }
        store.writeMapping(handle, inode);
    }

    /** Frees what a block of pointers points at; the pointers are cleared as they are freed. */
    private void removeBelow(Handle handle, Inode inode, long pblk, int levels, int orphanChanges) {
        if (levels == 0) {
            return;
        }
        try (CachedBlock block = volume.cache().get(pblk, kind(inode))) {
            for (int slot = volume.blockSize() / Integer.BYTES - 1; slot >= 0; slot--) {
                long target = BlockMap.pointer(block.data(), slot);
                if (target == 0) {
                    continue;
                }
                removeBelow(handle, inode, target, levels - 1, orphanChanges);
                ensureCredits(handle, inode, orphanChanges);
                BlockMap.setPointer(handle.write(block), slot, 0);
                release(handle, inode, target, levels > 1);
            }
        }
    }

    private void release(Handle handle, Inode inode, long pblk, boolean pointers) {
        if (pointers) {
            blocks.freeMetadata(handle, pblk);
        } else {
            blocks.freeOf(handle, inode, pblk, 1);
        }
        inode.sectors = Math.max(0, inode.sectors - volume.sectorsPerBlock());
    }

    private void ensureCredits(Handle handle, Inode inode, int orphanChanges) {
        if (handle.credits() < STEP + Credits.INODE && !handle.extend(STEP + Credits.INODE)) {
            store.writeMapping(handle, inode);
            handle.restart(credits(), orphanChanges);
        }
    }

    private Kind kind(Inode inode) {
        return new Kind(volume.superblock(), zone, inode.ino);
    }
}
