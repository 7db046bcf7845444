// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.core.cache.CachedBlock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A block group in memory. Its lock is taken with a handle open and below every inode lock; within it only the monitors
 * of blocks are taken.
 */
final class Group {
    final int index;
    final long firstBlock;
    /** Blocks of the group. */
    final int blocks;

    final long blockBitmap;
    final long inodeBitmap;
    final long inodeTable;
    final ReentrantLock lock = new ReentrantLock();

    // Changed under lock, as the descriptor is; read without it where a stale number does no harm.
    volatile int freeBlocks;
    volatile int freeInodes;
    volatile int usedDirs;
    volatile int itableUnused;
    volatile int flags;

    /** Guarded by lock: where a search for a free inode begins; none is free below. */
    int firstFreeInode;
    /** Changed under lock: longest free run when last counted, -1 unknown. */
    volatile int longestRun = -1;

    /** Guarded by lock: the block bitmap with the blocks whose freeing is not durable still set; null if there are none. */
    byte[] busy;
    /** Guarded by lock: freed, not durable; null if there are none. */
    PendingFrees pending;

    /** Guarded by lock: block bitmap changed since the last closing, whose checksum is due; else null. */
    CachedBlock changedBlocks;
    /** Guarded by lock: inode bitmap changed since the last closing, whose checksum is due; else null. */
    CachedBlock changedInodes;

    Group(int index, long firstBlock, int blocks, long blockBitmap, long inodeBitmap, long inodeTable) {
        this.index = index;
        this.firstBlock = firstBlock;
        this.blocks = blocks;
        this.blockBitmap = blockBitmap;
        this.inodeBitmap = inodeBitmap;
        this.inodeTable = inodeTable;
    }
}
