// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.format.group.Bitmap;

/**
 * Allocates and frees blocks. A handle is open; each group has its own lock, which is held for a search in its bitmap
 * and the change. Freed blocks count as free at once but are allocated again only when the transaction that freed them
 * is durable, see {@link PendingRelease}.
 */
public final class BlockAllocator {
    /** Credits of one {@link #allocate}, or of freeing within one group: block bitmap and descriptor block. */
    public static final int CREDITS = 2;

    /** Groups whose bitmap is looked at for a run as long as wanted before a shorter one is taken. */
    private static final int LONG_RUN_GROUPS = 32;

    private final Volume volume;
    private final GroupTable groups;
    private final PendingRelease pending;

    /** @param pending told of what is freed, and in turn told by the journal what is durable */
    public BlockAllocator(Volume volume, GroupTable groups, PendingRelease pending) {
        this.volume = volume;
        this.groups = groups;
        this.pending = pending;
    }

    /**
     * One block.
     *
     * @param goal physical block wished for, or near it
     * @throws ErrnoException ENOSPC without a change; the caller closes its handle and may try again by {@link SpaceRetry}
     */
    public long allocateOne(Handle handle, Credentials who, long goal) {
        Run run = new Run();
        allocate(handle, who, goal, 1, run);
        return run.pblk;
    }

    /**
     * Blocks in a row: what is free from {@code goal} on, else near it as many as wanted, else what there is. Two credits.
     *
     * @param wanted at least 1; {@code out} has from 1 to as many
     * @throws ErrnoException ENOSPC without a change
     */
    public void allocate(Handle handle, Credentials who, long goal, int wanted, Run out) {
        long reserved = volume.mayUseReserve(who) ? 0 : volume.superblock().reservedBlocks();
        allocate(handle, goal, wanted, groups.freeBlocks() - reserved - volume.treeReserve(), out);
    }

    /**
     * One block for the node of an extent tree, of whatever is free.
     *
     * @throws ErrnoException ENOSPC without a change
     */
    public long allocateNode(Handle handle, long goal) {
        Run run = new Run();
        allocate(handle, goal, 1, groups.freeBlocks(), run);
        return run.pblk;
    }

    private void allocate(Handle handle, long goal, int wanted, long usable, Run out) {
        if (usable <= 0) {
            throw ErrnoException.of(Errno.ENOSPC);
        }
        int count = (int) Math.min(wanted, usable);
        long inside =
                volume.layout().contains(goal, 1) ? goal : volume.superblock().block() + 1;
        int home = volume.layout().groupOfBlock(inside);
        if (takeFrom(handle, home, volume.layout().indexOfBlock(inside), count, true, out)
                || takeLong(handle, home, count, out)
                || takeAny(handle, home, count, out)) {
            return;
        }
        throw ErrnoException.of(Errno.ENOSPC);
    }

    private boolean takeLong(Handle handle, int home, int count, Run out) {
        int looked = 0;
        for (int i = 1; i < groups.count() && looked < LONG_RUN_GROUPS; i++) {
            Group group = groups.group((home + i) % groups.count());
            if (group.freeBlocks >= count && (group.longestRun < 0 || group.longestRun >= count)) {
                looked++;
                if (takeFrom(handle, group.index, -1, count, true, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean takeAny(Handle handle, int home, int count, Run out) {
        for (int i = 0; i < groups.count(); i++) {
            Group group = groups.group((home + i) % groups.count());
            if (group.freeBlocks > 0 && group.longestRun != 0 && takeFrom(handle, group.index, -1, count, false, out)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes from one group.
     *
     * @param goal bit from which any run is good, -1 for none
     * @param whole whether elsewhere in the group only a run of {@code count} is good
     */
    private boolean takeFrom(Handle handle, int index, int goal, int count, boolean whole, Run out) {
        Group group = groups.group(index);
        if (group.freeBlocks == 0) {
            return false;
        }
        try (CachedBlock bitmap = bitmap(index)) {
            group.lock.lock();
            try {
                byte[] view = group.busy != null ? group.busy : bitmap.data();
                int start = search(group, view, goal, count, whole);
                if (start < 0) {
                    return false;
                }
                int end = Bitmap.nextSet(view, start, Math.min(group.blocks, start + count));
                takeLocked(handle, group, bitmap, start, end - start);
                out.pblk = group.firstBlock + start;
                out.count = end - start;
                return true;
            } finally {
                group.lock.unlock();
            }
        }
    }

    private static int search(Group group, byte[] view, int goal, int count, boolean whole) {
        if (goal >= 0 && goal < group.blocks && !Bitmap.test(view, goal)) {
            return goal;
        }
        int start = goal > 0 ? Bitmap.findClearRun(view, goal, group.blocks, count) : -1;
        if (start < 0) {
            start = Bitmap.findClearRun(view, 0, group.blocks, count);
        }
        if (start >= 0) {
            return start;
        }
        int longest = Bitmap.findLongestClearRun(view, 0, group.blocks);
        group.longestRun = longest < 0 ? 0 : Bitmap.nextSet(view, longest, group.blocks) - longest;
        return whole ? -1 : longest;
    }

    private void takeLocked(Handle handle, Group group, CachedBlock bitmap, int start, int count) {
        if (group.freeBlocks < count) {
            throw new CorruptException(
                    "descriptor of group " + group.index,
                    -1,
                    "bg_free_blocks_count",
                    "" + group.freeBlocks,
                    "at least the " + count + " that the bitmap has");
        }
        byte[] b = handle.write(bitmap);
        Bitmap.set(b, start, count);
        if (group.busy != null) {
            Bitmap.set(group.busy, start, count);
        }
        groups.addFreeBlocksLocked(handle, group, -count);
        groups.blocksChangedLocked(group, bitmap);
    }

    /**
     * Frees blocks. Two credits a group that they lie in. Metadata blocks go by {@link #freeMetadata}.
     *
     * @throws CorruptException if one is free already, outside the filesystem or part of its fixed metadata
     */
    public void free(Handle handle, long pblk, long count) {
        if (!volume.layout().contains(pblk, count) || groups.zone().overlaps(pblk, count)) {
            throw new CorruptException(
                    "blocks to be freed", pblk, "range", pblk + " (" + count + " blocks)", "blocks of a file");
        }
        long at = pblk;
        for (long left = count; left > 0; ) {
            Group group = groups.group(volume.layout().groupOfBlock(at));
            int start = (int) (at - group.firstBlock);
            int part = (int) Math.min(left, group.blocks - start);
            freeIn(handle, group, start, part);
            at += part;
            left -= part;
        }
    }

    /**
     * Frees blocks of a file. Those of directories and symbolic links were written through the journal, so they go as
     * metadata, one by one.
     */
    public void freeOf(Handle handle, Inode inode, long pblk, long count) {
        if (!inode.isDirectory() && !inode.isSymlink()) {
            free(handle, pblk, count);
            return;
        }
        for (long i = 0; i < count; i++) {
            freeMetadata(handle, pblk + i);
        }
    }

    /** Frees a metadata block: out of the transaction and the cache, with a revoke where needed, then as {@link #free}. */
    public void freeMetadata(Handle handle, long pblk) {
        try (CachedBlock block = volume.cache().peek(pblk)) {
            handle.forget(pblk, block);
        }
        volume.cache().drop(pblk);
        free(handle, pblk, 1);
    }

    private void freeIn(Handle handle, Group group, int start, int count) {
        try (CachedBlock bitmap = bitmap(group.index)) {
            group.lock.lock();
            try {
                if (!Bitmap.allSet(bitmap.data(), start, count)) {
                    throw new CorruptException(
                            "block bitmap of group " + group.index,
                            group.blockBitmap,
                            "bits from " + start,
                            "partly clear",
                            count + " set, since a file has these blocks");
                }
                byte[] b = handle.write(bitmap);
                pending.addLocked(group, b, handle.tid(), start, count);
                Bitmap.clear(b, start, count);
                group.longestRun = -1;
                groups.addFreeBlocksLocked(handle, group, count);
                groups.blocksChangedLocked(group, bitmap);
            } finally {
                group.lock.unlock();
            }
        }
    }

    /** Whether all these blocks are marked as used; reads bitmaps. For checks outside the hot paths. */
    public boolean allocated(long pblk, long count) {
        for (long at = pblk; at < pblk + count; at++) {
            Group group = groups.group(volume.layout().groupOfBlock(at));
            try (CachedBlock bitmap = bitmap(group.index)) {
                if (!Bitmap.test(bitmap.data(), (int) (at - group.firstBlock))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Blocks that were freed and cannot be allocated yet; may be stale. */
    public long pendingBlocks() {
        return pending.blocks();
    }

    private CachedBlock bitmap(int group) {
        return volume.cache().get(groups.blockBitmap(group), new BitmapKinds.Blocks(groups, group));
    }
}
