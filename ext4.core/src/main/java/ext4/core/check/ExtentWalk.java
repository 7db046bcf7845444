// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;

/**
 * Walks an extent tree. It ends whatever the tree holds: depth is at most five, and entries must rise within the range
 * that their parent gave them.
 */
final class ExtentWalk {
    private final Fs fs;
    private final byte[][] buffers = new byte[ExtentNode.MAX_DEPTH][];
    private int ino;
    private int seed;
    private MapSink sink;

    ExtentWalk(Fs fs) {
        this.fs = fs;
    }

    /** Walks from the root in i_block, which begins at {@code off}. */
    void walk(int inode, int inodeSeed, byte[] b, int off, MapSink target) {
        ino = inode;
        seed = inodeSeed;
        sink = target;
        if (!headerHolds(b, off, ExtentNode.ROOT_MAX)) {
            sink.bad("Inode %d has an invalid extent node (root in the inode).", unsigned());
            return;
        }
        int depth = ExtentNode.depth(b, off);
        if (depth > ExtentNode.MAX_DEPTH) {
            sink.bad("Inode %d has an invalid extent tree depth (%d).", unsigned(), depth);
            return;
        }
        if (depth > 0 && ExtentNode.entries(b, off) == 0) {
            sink.bad("Inode %d has an invalid extent node (empty root of depth %d).", unsigned(), depth);
        }
        node(b, off, depth, 0, ExtentCheck.END);
    }

    /** As e2fsck sees it: a node may leave the room of up to two entries unused. */
    static boolean headerHolds(byte[] b, int off, int room) {
        int max = ExtentNode.max(b, off);
        return ExtentNode.magic(b, off) == ExtentNode.MAGIC
                && max <= room
                && max >= room - 2
                && ExtentNode.entries(b, off) <= max;
    }

    private void node(byte[] b, int off, int depth, long first, long end) {
        int entries = ExtentNode.entries(b, off);
        long next = first;
        for (int i = 0; i < entries; i++) {
            long lblk = Integer.toUnsignedLong(ExtentNode.lblk(b, off, i));
            if (depth == 0) {
                next = leafEntry(b, off, i, next, end);
                continue;
            }
            long limit = i + 1 < entries ? Integer.toUnsignedLong(ExtentNode.lblk(b, off, i + 1)) : end;
            if (lblk < next || lblk >= end || limit <= lblk || limit > end) {
                sink.bad("Inode %d has out of order extents (index entry at logical block %d).", unsigned(), lblk);
                continue;
            }
            next = lblk;
            child(ExtentNode.child(b, off, i), depth - 1, lblk, limit);
        }
    }

    private long leafEntry(byte[] b, int off, int i, long next, long end) {
        long lblk = Integer.toUnsignedLong(ExtentNode.lblk(b, off, i));
        int length = ExtentNode.length(b, off, i);
        long start = ExtentNode.start(b, off, i);
        if (length == 0) {
            sink.bad("Inode %d has zero length extent (logical block %d).", unsigned(), lblk);
        } else if (lblk < next || lblk + length > end) {
            sink.bad(
                    "Inode %d has out of order extents (logical block %d, physical block %d, len %d).",
                    unsigned(), lblk, start, length);
        } else if (!fs.isLegal(start, length)) {
            sink.bad(
                    "Inode %d has an invalid extent (logical block %d, invalid physical block %d, len %d).",
                    unsigned(), lblk, start, length);
            return lblk + length;
        } else {
            sink.data(lblk, start, length, ExtentNode.isUnwritten(b, off, i));
            return lblk + length;
        }
        return next;
    }

    private void child(long pblk, int depth, long first, long end) {
        if (!fs.isLegal(pblk)) {
            sink.bad(
                    "Inode %d has an invalid extent index (logical block %d, invalid physical block %d).",
                    unsigned(), first, pblk);
            return;
        }
        if (!sink.meta(pblk)) {
            return;
        }
        if (buffers[depth] == null) {
            buffers[depth] = new byte[fs.sb.blockSize()];
        }
        byte[] b = buffers[depth];
        if (!fs.read(pblk, 1, b, "an extent node")) {
            sink.bad("Inode %d has an extent node that cannot be read (block %d).", unsigned(), pblk);
            return;
        }
        if (!headerHolds(b, 0, ExtentNode.blockMax(fs.sb.blockSize()))
                || ExtentNode.depth(b, 0) != depth
                || ExtentNode.entries(b, 0) == 0) {
            sink.bad("Inode %d has an invalid extent node (block %d, lblk %d).", unsigned(), pblk, first);
            return;
        }
        if (!ExtentNode.verify(fs.sb, seed, b, 0)) {
            sink.bad(
                    "Inode %d extent block checksum does not match extent block (block %d: 0x%08x, should be 0x%08x).",
                    unsigned(), pblk, ExtentNode.storedChecksum(b, 0), ExtentNode.checksum(seed, b, 0));
        }
        long start = Integer.toUnsignedLong(ExtentNode.lblk(b, 0, 0));
        if (start != first) {
            sink.bad(
                    "Interior extent node of inode %d: logical start %d does not match logical start %d"
                            + " at next level (block %d).",
                    unsigned(), first, start, pblk);
        }
        node(b, 0, depth, first, end);
    }

    private long unsigned() {
        return Integer.toUnsignedLong(ino);
    }
}
