// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.SystemZone;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.inode.InodeChecksum;

/**
 * Looks up, inserts and splits in an inode's extent tree. Changes need the write lock and a handle; they raise
 * {@link Inode#sectors} for nodes, and leave writing the record to the caller.
 */
final class ExtentTree {
    private final Volume volume;
    private final BlockAllocator blocks;
    private final SystemZone zone;

    ExtentTree(Volume volume, BlockAllocator blocks, SystemZone zone) {
        this.volume = volume;
        this.blocks = blocks;
        this.zone = zone;
    }

    ExtentNodeKind kind(Inode inode) {
        int seed = InodeChecksum.seed(volume.superblock(), inode.ino, inode.generation);
        return new ExtentNodeKind(volume.superblock(), zone, inode.ino, seed);
    }

    ExtentPath descend(Inode inode, long lblk) {
        return ExtentPath.descend(volume, inode, kind(inode), lblk);
    }

    static int depth(Inode inode) {
        return ExtentNode.depth(inode.iBlock, 0);
    }

    /** The run from {@code lblk} on: allocated, or a hole up to the next extent or at least up to the next leaf. */
    void find(Inode inode, long lblk, Mapping out) {
        try (ExtentPath path = descend(inode, lblk)) {
            byte[] leaf = path.leaf();
            int i = path.leafIndex();
            out.lblk = lblk;
            if (i >= 0 && lblk < ExtentNode.end(leaf, 0, i)) {
                long skip = lblk - ExtentPath.key(leaf, i);
                out.count = ExtentNode.length(leaf, 0, i) - skip;
                out.pblk = ExtentNode.start(leaf, 0, i) + skip;
                out.unwritten = ExtentNode.isUnwritten(leaf, 0, i);
                return;
            }
            long next = i + 1 < ExtentNode.entries(leaf, 0) ? ExtentPath.key(leaf, i + 1) : path.leafEnd();
            out.count = next - lblk;
            out.pblk = 0;
            out.unwritten = false;
        }
    }

    /** Where a block would continue what is before it: behind the last extent that begins before; 0 if there is none. */
    long continuation(Inode inode, long lblk) {
        try (ExtentPath path = descend(inode, lblk)) {
            int i = path.leafIndex();
            if (i < 0) {
                return 0;
            }
            byte[] leaf = path.leaf();
            return ExtentNode.start(leaf, 0, i) + (lblk - ExtentPath.key(leaf, i));
        }
    }

    /** Maps a hole. At most {@link ExtentNode#MAX_LENGTH} blocks ({@link ExtentNode#MAX_UNWRITTEN_LENGTH}). */
    void insert(Handle handle, Inode inode, long lblk, int count, long pblk, boolean unwritten) {
        boolean joins;
        try (ExtentPath path = descend(inode, lblk)) {
            joins = joins(path.leaf(), path.leafIndex(), lblk, count, pblk, unwritten);
        }
        if (!joins) {
            ensureRoom(handle, inode, lblk, 1, pblk);
        }
        try (ExtentPath path = descend(inode, lblk)) {
            insertHere(handle, path, lblk, count, pblk, unwritten);
        }
    }

    /** Whether blocks become part of extent {@code i} or of the one behind it, so that no entry is needed for them. */
    static boolean joins(byte[] leaf, int i, long lblk, int count, long pblk, boolean unwritten) {
        return i >= 0 && ExtentNode.continues(leaf, 0, i, (int) lblk, count, unwritten, pblk)
                || ExtentNode.precedes(leaf, 0, i + 1, (int) lblk, count, unwritten, pblk);
    }

    /** Inserts into a leaf that has room, or where the blocks join an extent. */
    void insertHere(Handle handle, ExtentPath path, long lblk, int count, long pblk, boolean unwritten) {
        byte[] leaf = path.write(handle, path.depth);
        int i = ExtentNode.search(leaf, 0, (int) lblk);
        if (i >= 0 && ExtentNode.continues(leaf, 0, i, (int) lblk, count, unwritten, pblk)) {
            int length = ExtentNode.length(leaf, 0, i) + count;
            ExtentNode.setExtent(
                    leaf, 0, i, ExtentNode.lblk(leaf, 0, i), length, unwritten, ExtentNode.start(leaf, 0, i));
        } else if (ExtentNode.precedes(leaf, 0, i + 1, (int) lblk, count, unwritten, pblk)) {
            i++;
            ExtentNode.setExtent(leaf, 0, i, (int) lblk, ExtentNode.length(leaf, 0, i) + count, unwritten, pblk);
        } else {
            ExtentNode.insertExtent(leaf, 0, ++i, (int) lblk, count, unwritten, pblk);
        }
        if (ExtentNode.canMerge(leaf, 0, i)) {
            ExtentNode.merge(leaf, 0, i);
        }
        path.fixKeys(handle, path.depth);
    }

    /**
     * Splits nodes until the leaf for {@code lblk} has room for {@code wanted} more entries.
     *
     * @param goal where new nodes are wished
     * @throws ErrnoException ENOSPC; the tree is consistent and maps what it mapped before
     */
    void ensureRoom(Handle handle, Inode inode, long lblk, int wanted, long goal) {
        while (true) {
            try (ExtentPath path = descend(inode, lblk)) {
                if (room(path.leaf()) >= wanted) {
                    return;
                }
                int level = path.depth - 1;
                while (level >= 0 && room(path.node(level)) < 1) {
                    level--;
                }
                if (level < 0) {
                    grow(handle, path, goal);
                } else {
                    split(handle, path, level + 1, goal);
                }
            }
        }
    }

    private static int room(byte[] node) {
        return ExtentNode.max(node, 0) - ExtentNode.entries(node, 0);
    }

    /** Moves the root's entries into a new node below it. */
    private void grow(Handle handle, ExtentPath path, long goal) {
        byte[] root = path.inode.iBlock;
        if (path.depth == ExtentNode.MAX_DEPTH) {
            throw ErrnoException.of(Errno.EFBIG);
        }
        try (CachedBlock block = newNode(handle, path.inode, goal)) {
            byte[] node = handle.write(block);
            ExtentNode.initBlock(node, 0, volume.blockSize(), path.depth);
            int first = ExtentNode.lblk(root, 0, 0);
            ExtentNode.moveTail(root, 0, 0, node, 0);
            ExtentNode.setDepth(root, 0, path.depth + 1);
            ExtentNode.insertIndex(root, 0, 0, first, block.pblk());
        }
    }

    /**
     * Moves the upper half of a node into a new one beside it; only the last entry when something is to be appended
     * behind it, so that a file written from its beginning gets full nodes.
     */
    private void split(Handle handle, ExtentPath path, int level, long goal) {
        int entries = ExtentNode.entries(path.node(level), 0);
        boolean append = path.index(level) == entries - 1;
        int from = append ? entries - 1 : entries / 2;
        try (CachedBlock block = newNode(handle, path.inode, goal)) {
            byte[] upper = handle.write(block);
            byte[] lower = path.write(handle, level);
            ExtentNode.initBlock(upper, 0, volume.blockSize(), path.depth - level);
            ExtentNode.moveTail(lower, 0, from, upper, 0);
            byte[] parent = path.write(handle, level - 1);
            ExtentNode.insertIndex(parent, 0, path.index(level - 1) + 1, ExtentNode.lblk(upper, 0, 0), block.pblk());
        }
    }

    private CachedBlock newNode(Handle handle, Inode inode, long goal) {
        long pblk = blocks.allocateNode(handle, goal);
        inode.sectors += volume.sectorsPerBlock();
        return volume.cache().getNew(pblk, kind(inode));
    }

    /** Whether {@code lblk} can be a file's block at all. */
    static boolean addressable(long lblk) {
        return lblk >= 0 && lblk < ExtentCheck.END - 1;
    }
}
