// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;

/**
 * The nodes from an inode's extent root down to the leaf where a logical block belongs, held until {@link #close}. Level 0
 * is the root in i_block. Depth falls by one a level, so a hostile tree without end does not exist. The inode's lock is
 * held.
 */
final class ExtentPath implements AutoCloseable {
    final Inode inode;
    /** Levels below the root; also the level of the leaf. */
    final int depth;

    private final CachedBlock[] blocks;
    private final int[] index;
    /** The logical block behind the last that a node may hold. */
    private final long[] end;

    private ExtentPath(Inode inode, int depth) {
        this.inode = inode;
        this.depth = depth;
        blocks = new CachedBlock[depth + 1];
        index = new int[depth + 1];
        end = new long[depth + 1];
    }

    /** Descends to the leaf for {@code lblk}. */
    static ExtentPath descend(Volume volume, Inode inode, ExtentNodeKind kind, long lblk) {
        ExtentPath path = new ExtentPath(inode, ExtentNode.depth(inode.iBlock, 0));
        try {
            path.end[0] = ExtentCheck.END;
            for (int level = 0; level < path.depth; level++) {
                path.down(volume, kind, level, lblk);
            }
            path.index[path.depth] = ExtentNode.search(path.leaf(), 0, (int) lblk);
            return path;
        } catch (RuntimeException | Error e) {
            path.close();
            throw e;
        }
    }

    private void down(Volume volume, ExtentNodeKind kind, int level, long lblk) {
        byte[] node = node(level);
        int i = Math.max(0, ExtentNode.search(node, 0, (int) lblk));
        index[level] = i;
        long first = key(node, i);
        end[level + 1] = i + 1 < ExtentNode.entries(node, 0) ? key(node, i + 1) : end[level];
        CachedBlock block = volume.cache().get(ExtentNode.child(node, 0, i), kind);
        blocks[level + 1] = block;
        byte[] child = block.data();
        int childDepth = ExtentNode.depth(child, 0);
        if (childDepth != depth - level - 1) {
            throw corrupt(kind, block, "eh_depth", childDepth, "" + (depth - level - 1));
        }
        int entries = ExtentNode.entries(child, 0);
        if (entries == 0) {
            throw corrupt(kind, block, "eh_entries", 0, "at least 1");
        }
        if (key(child, 0) < first) {
            throw corrupt(kind, block, "first logical block", key(child, 0), "at least " + first);
        }
        long last = childDepth == 0 ? ExtentNode.end(child, 0, entries - 1) : key(child, entries - 1) + 1;
        if (last > end[level + 1]) {
            throw corrupt(kind, block, "last logical block", last - 1, "below " + end[level + 1]);
        }
    }

    private static CorruptException corrupt(
            ExtentNodeKind kind, CachedBlock block, String field, long found, String expected) {
        return new CorruptException(kind.what(), block.pblk(), field, Long.toString(found), expected);
    }

    static long key(byte[] node, int i) {
        return Integer.toUnsignedLong(ExtentNode.lblk(node, 0, i));
    }

    /** The current bytes of a level's node. */
    byte[] node(int level) {
        return level == 0 ? inode.iBlock : blocks[level].data();
    }

    byte[] leaf() {
        return node(depth);
    }

    /** The entry followed on a level; in the leaf the last that begins at or before the block asked for, or -1. */
    int index(int level) {
        return index[level];
    }

    int leafIndex() {
        return index[depth];
    }

    /** The logical block behind the last that the leaf may hold: where the next leaf begins. */
    long leafEnd() {
        return end[depth];
    }

    /** The first logical block that the leaf may hold by its parent's key; 0 for a leaf in the root. */
    long leafFirst() {
        return depth == 0 ? 0 : key(node(depth - 1), index[depth - 1]);
    }

    /** The bytes of a level's node to change. The root's are the inode's, whose record the caller writes. */
    byte[] write(Handle handle, int level) {
        return level == 0 ? inode.iBlock : handle.write(blocks[level]);
    }

    /** Block of a level's node; not for the root. */
    long pblk(int level) {
        return blocks[level].pblk();
    }

    /** Lets go of a level's node, which is about to be freed. */
    void release(int level) {
        blocks[level].close();
        blocks[level] = null;
    }

    /**
     * The first key of the node on {@code level} changed: the keys above follow, as far as they are the first of their
     * nodes.
     */
    void fixKeys(Handle handle, int level) {
        if (ExtentNode.entries(node(level), 0) == 0) {
            return;
        }
        int first = ExtentNode.lblk(node(level), 0, 0);
        for (int at = level - 1; at >= 0; at--) {
            if (ExtentNode.lblk(node(at), 0, index[at]) == first) {
                return;
            }
            ExtentNode.setLblk(write(handle, at), 0, index[at], first);
            if (index[at] != 0) {
                return;
            }
        }
    }

    @Override
    public void close() {
        for (CachedBlock block : blocks) {
            if (block != null) {
                block.close();
            }
        }
    }
}
