// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.Run;
import ext4.core.alloc.SystemZone;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Credits;
import ext4.core.volume.Volume;
import ext4.format.inode.BlockMap;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/** The block map of an inode without extents, as ext2 and ext3 have it and ext4 without that feature still makes it. */
final class BlockPointers {
    /** Blocks of pointers between i_block and a block of the file, at most. */
    static final int MAX_LEVELS = 3;
    /** Pointers of i_block to blocks of the file itself. */
    static final int DIRECT = 12;
    /** A pointer has 32 bits. */
    private static final long BEYOND = 1L << 32;

    record Kind(Superblock sb, SystemZone zone, int ino) implements BlockKind {
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
            out.count = Math.max(1, FileMap.END - lblk);
            return;
        }
        Kind kind = kind(inode);
        int slot = BlockMap.slot((int) lblk, bits, 0);
        long pblk = BlockMap.pointer(inode.iBlock, slot);
        kind.check(pblk, -1, slot);
        if (levels == 0) {
            out.count = runLength(inode.iBlock, slot, DIRECT);
        }
        for (int level = 1; level <= levels; level++) {
            slot = BlockMap.slot((int) lblk, bits, level);
            if (pblk == 0) {
                out.count = (long) perBlock() - BlockMap.slot((int) lblk, bits, levels);
                return;
            }
            try (CachedBlock block = volume.cache().get(pblk, kind)) {
                pblk = BlockMap.pointer(block.data(), slot);
                out.count = level == levels ? runLength(block.data(), slot, perBlock()) : 1;
            }
        }
        out.pblk = pblk;
    }

    /** Pointers to blocks in a row, or to none. */
    private static int runLength(byte[] pointers, int slot, int end) {
        long first = BlockMap.pointer(pointers, slot);
        int count = 1;
        while (slot + count < end && BlockMap.pointer(pointers, slot + count) == (first == 0 ? 0 : first + count)) {
            count++;
        }
        return count;
    }

    /** Where a block would continue what is before it; 0 if that is a hole. */
    long continuation(Inode inode, long lblk) {
        if (lblk == 0) {
            return 0;
        }
        Mapping before = new Mapping();
        find(inode, lblk - 1, before);
        return before.pblk == 0 ? 0 : before.pblk + 1;
    }

    /** Whether the map reaches that block. */
    boolean addressable(long lblk) {
        return lblk >= 0
                && lblk < BEYOND
                && BlockMap.levels((int) lblk, volume.superblock().blockBits()) >= 0;
    }

    /** Blocks that a file can have: what the map reaches, and with its own blocks as many as i_blocks can count. */
    long maxBlocks(long countable) {
        long per = perBlock();
        long reach = DIRECT + per + per * per + per * per * per;
        long nodes = 1 + (1 + per) + (1 + per + per * per);
        if (reach + nodes <= countable) {
            return reach;
        }
        long rest = countable - DIRECT - per;
        if (rest < per * per) {
            return countable - (1 + 1 + ceil(rest, per));
        }
        rest -= per * per;
        return countable - (1 + 1 + per + 1 + ceil(rest, per) + ceil(rest, per * per));
    }

    private static long ceil(long a, long b) {
        return (a + b - 1) / b;
    }

    /** Credits of allocating a run and {@link #insert}, the record included. */
    int insertCredits() {
        return Credits.GROUP + 1 + MAX_LEVELS * (1 + Credits.GROUP) + Credits.INODE;
    }

    /**
     * Maps allocated blocks into a hole that {@link #find} told in one piece.
     *
     * @throws ErrnoException ENOSPC without space for a block of pointers; what was added of those stays, mapping nothing
     */
    void insert(Handle handle, Credentials who, Inode inode, long lblk, Run run) {
        if (run.pblk + run.count > BEYOND) {
            throw ErrnoException.of(Errno.ENOSPC);
        }
        int bits = volume.superblock().blockBits();
        int levels = BlockMap.levels((int) lblk, bits);
        int slot = BlockMap.slot((int) lblk, bits, 0);
        if (levels == 0) {
            setRun(inode.iBlock, slot, run);
            return;
        }
        Kind kind = kind(inode);
        long node = BlockMap.pointer(inode.iBlock, slot);
        kind.check(node, -1, slot);
        if (node == 0) {
            node = newNode(handle, who, inode, run.pblk);
            BlockMap.setPointer(inode.iBlock, slot, node);
        }
        for (int level = 1; level <= levels; level++) {
            slot = BlockMap.slot((int) lblk, bits, level);
            try (CachedBlock block = volume.cache().get(node, kind)) {
                if (level == levels) {
                    setRun(handle.write(block), slot, run);
                    return;
                }
                node = BlockMap.pointer(block.data(), slot);
                if (node == 0) {
                    node = newNode(handle, who, inode, run.pblk);
                    BlockMap.setPointer(handle.write(block), slot, node);
                }
            }
        }
    }

    private static void setRun(byte[] pointers, int slot, Run run) {
        for (int i = 0; i < run.count; i++) {
            BlockMap.setPointer(pointers, slot + i, run.pblk + i);
        }
    }

    private long newNode(Handle handle, Credentials who, Inode inode, long goal) {
        long pblk = blocks.allocateOne(handle, who, goal);
        if (pblk >= BEYOND) {
            blocks.free(handle, pblk, 1);
            throw ErrnoException.of(Errno.ENOSPC);
        }
        inode.sectors += volume.sectorsPerBlock();
        try (CachedBlock block = volume.cache().getNew(pblk, kind(inode))) {
            Arrays.fill(handle.write(block), (byte) 0);
        }
        return pblk;
    }

    /** The removal of blocks. */
    PointerRemoval removal() {
        return new PointerRemoval(volume, blocks, store, this);
    }

    int perBlock() {
        return volume.blockSize() / Integer.BYTES;
    }

    Kind kind(Inode inode) {
        return new Kind(volume.superblock(), zone, inode.ino);
    }
}
