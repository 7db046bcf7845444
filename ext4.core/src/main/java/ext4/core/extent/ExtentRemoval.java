// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Credits;
import ext4.core.volume.Volume;
import ext4.format.extent.ExtentNode;

/** Unmaps a range of a file and frees its blocks, from the end to the beginning, extent by extent. */
final class ExtentRemoval {
    private final Volume volume;
    private final ExtentTree tree;
    private final BlockAllocator blocks;
    private final InodeStore store;

    ExtentRemoval(Volume volume, ExtentTree tree, BlockAllocator blocks, InodeStore store) {
        this.volume = volume;
        this.tree = tree;
        this.blocks = blocks;
        this.store = store;
    }

    /** Credits to begin with; more are asked for as the work goes on. */
    int credits(Inode inode) {
        return step(inode) + Credits.INODE;
    }

    /** One extent, and a leaf split in two around a hole punched into it. */
    private int step(Inode inode) {
        int depth = ExtentTree.depth(inode);
        return Credits.unmapping(depth, volume.superblock().blocksPerGroup()) + Credits.mapping(depth) + Credits.INODE;
    }

    /**
     * Frees the blocks from {@code from} on and before {@code to}. The handle is restarted when it runs out of credits,
     * with {@code orphanChanges}; the record is written before, so that tree, i_blocks and bitmaps agree, and at the end.
     */
    void remove(Handle handle, Inode inode, long from, long to, int orphanChanges) {
        long end = to;
        while (end > from) {
            ensureCredits(handle, inode, orphanChanges);
            try (ExtentPath path = tree.descend(inode, end - 1)) {
                int i = path.leafIndex();
                if (i < 0) {
                    // All extents of this leaf lie behind: go on in the leaf before it, if there is one.
                    if (path.depth == 0 || path.leafFirst() >= end) {
                        break;
                    }
                    end = path.leafFirst();
                    continue;
                }
                byte[] leaf = path.leaf();
                long first = ExtentPath.key(leaf, i);
                long last = Math.min(ExtentNode.end(leaf, 0, i), end);
                if (last <= from) {
                    break;
                }
                long cut = Math.max(first, from);
                if (!removeFrom(handle, path, i, cut, last)) {
                    continue;
                }
                end = cut;
            }
        }
        store.writeMapping(handle, inode);
    }

    private void ensureCredits(Handle handle, Inode inode, int orphanChanges) {
        int needed = step(inode);
        if (handle.credits() < needed && !handle.extend(needed)) {
            store.writeMapping(handle, inode);
            handle.restart(credits(inode), orphanChanges);
        }
    }

    /** Cuts [cut, last) out of extent {@code i}; false if the leaf had to be split first, then nothing was cut. */
    private boolean removeFrom(Handle handle, ExtentPath path, int i, long cut, long last) {
        byte[] leaf = path.leaf();
        long first = ExtentPath.key(leaf, i);
        long end = ExtentNode.end(leaf, 0, i);
        long start = ExtentNode.start(leaf, 0, i);
        boolean unwritten = ExtentNode.isUnwritten(leaf, 0, i);
        if (cut > first && last < end && ExtentNode.isFull(leaf, 0)) {
            tree.ensureRoom(handle, path.inode, cut, 1, start);
            return false;
        }
        leaf = path.write(handle, path.depth);
        if (cut > first) {
            ExtentNode.setExtent(leaf, 0, i, (int) first, (int) (cut - first), unwritten, start);
            if (last < end) {
                long rest = start + (last - first);
                ExtentNode.insertExtent(leaf, 0, i + 1, (int) last, (int) (end - last), unwritten, rest);
            }
        } else if (last < end) {
            ExtentNode.setExtent(leaf, 0, i, (int) last, (int) (end - last), unwritten, start + (last - first));
            path.fixKeys(handle, path.depth);
        } else {
            ExtentNode.remove(leaf, 0, i, 1);
            removeEmptyNodes(handle, path);
        }
        blocks.freeOf(handle, path.inode, start + (cut - first), last - cut);
        path.inode.subtractSectors((last - cut) * volume.sectorsPerBlock());
        return true;
    }

    private void removeEmptyNodes(Handle handle, ExtentPath path) {
        int level = path.depth;
        while (level > 0 && ExtentNode.entries(path.node(level), 0) == 0) {
            long pblk = path.pblk(level);
            path.release(level);
            blocks.freeMetadata(handle, pblk);
            path.inode.subtractSectors(volume.sectorsPerBlock());
            level--;
            ExtentNode.remove(path.write(handle, level), 0, path.index(level), 1);
        }
        if (level == 0 && ExtentNode.entries(path.inode.iBlock, 0) == 0) {
            ExtentNode.initRoot(path.inode.iBlock, 0);
        }
        path.fixKeys(handle, level);
    }
}
