// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.journal.Handle;
import ext4.core.inode.Inode;
import ext4.format.extent.ExtentNode;

/** Turns allocated blocks from unwritten to written and back. */
final class ExtentState {
    private final ExtentTree tree;

    ExtentState(ExtentTree tree) {
        this.tree = tree;
    }

    /**
     * Gives the blocks from {@code lblk} on, all of one extent, a new state.
     *
     * @return how many were changed: fewer than {@code count} if the extent ends or an unwritten one would be too long
     */
    long set(Handle handle, Inode inode, long lblk, long count, boolean unwritten) {
        int more = moreEntries(inode, lblk, count, unwritten);
        if (more > 0) {
            tree.ensureRoom(handle, inode, lblk, more, 0);
        }
        try (ExtentPath path = tree.descend(inode, lblk)) {
            int i = path.leafIndex();
            byte[] leaf = path.write(handle, path.depth);
            long first = ExtentPath.key(leaf, i);
            long end = ExtentNode.end(leaf, 0, i);
            long start = ExtentNode.start(leaf, 0, i);
            boolean old = ExtentNode.isUnwritten(leaf, 0, i);
            long last = last(lblk, count, end, unwritten);
            ExtentNode.remove(leaf, 0, i, 1);
            if (last < end) {
                ExtentNode.insertExtent(leaf, 0, i, (int) last, (int) (end - last), old, start + (last - first));
            }
            if (lblk > first) {
                ExtentNode.insertExtent(leaf, 0, i, (int) first, (int) (lblk - first), old, start);
            }
            tree.insertHere(handle, path, lblk, (int) (last - lblk), start + (lblk - first), unwritten);
            return last - lblk;
        }
    }

    private static long last(long lblk, long count, long end, boolean unwritten) {
        long limit = unwritten ? ExtentNode.MAX_UNWRITTEN_LENGTH : ExtentNode.MAX_LENGTH;
        return Math.min(Math.min(lblk + count, end), lblk + limit);
    }

    /** Two at most: what stays before, and what stays behind; less where what changes joins a neighbour. */
    private int moreEntries(Inode inode, long lblk, long count, boolean unwritten) {
        try (ExtentPath path = tree.descend(inode, lblk)) {
            int i = path.leafIndex();
            byte[] leaf = path.leaf();
            long first = ExtentPath.key(leaf, i);
            long end = ExtentNode.end(leaf, 0, i);
            long last = last(lblk, count, end, unwritten);
            long pblk = ExtentNode.start(leaf, 0, i) + (lblk - first);
            int length = (int) (last - lblk);
            boolean joins =
                    lblk == first && i > 0 && ExtentNode.continues(leaf, 0, i - 1, (int) lblk, length, unwritten, pblk)
                            || last == end && ExtentNode.precedes(leaf, 0, i + 1, (int) lblk, length, unwritten, pblk);
            return (lblk > first ? 1 : 0) + (last < end ? 1 : 0) - (joins ? 1 : 0);
        }
    }
}
