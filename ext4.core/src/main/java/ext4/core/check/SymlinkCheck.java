// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.extent.ExtentNode;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;

/** Whether a symbolic link's target is where it must be and as long as i_size says. */
final class SymlinkCheck {
    private final Fs fs;
    private final byte[] block;

    SymlinkCheck(Fs fs) {
        this.fs = fs;
        block = new byte[fs.sb.blockSize()];
    }

    /** Whether the length says that the target stands in the inode. */
    static boolean isFast(byte[] b, int off) {
        long size = InodeRaw.size(b, off);
        return size > 0 && size < InodeRecord.I_BLOCK_BYTES;
    }

    boolean holds(byte[] b, int off) {
        long size = InodeRaw.size(b, off);
        int flags = InodeRecord.flags(b, off);
        if (size <= 0 || size > 0xFFFFFFFFL || InodeFlags.has(flags, InodeFlags.INDEX)) {
            return false;
        }
        int iBlock = InodeRecord.iBlock(off);
        if (isFast(b, off)) {
            return !InodeFlags.has(flags, InodeFlags.EXTENTS) && length(b, iBlock, InodeRecord.I_BLOCK_BYTES) == size;
        }
        long pblk = InodeFlags.has(flags, InodeFlags.EXTENTS) ? ofExtents(b, iBlock) : ofMap(b, off);
        return size < fs.sb.blockSize()
                && fs.isLegal(pblk)
                && fs.read(pblk, 1, block, "a symbolic link")
                && length(block, 0, block.length) == size;
    }

    private static long ofExtents(byte[] b, int root) {
        boolean one = ExtentWalk.headerHolds(b, root, ExtentNode.ROOT_MAX)
                && ExtentNode.isLeaf(b, root)
                && ExtentNode.entries(b, root) == 1
                && ExtentNode.lblk(b, root, 0) == 0
                && ExtentNode.length(b, root, 0) == 1;
        return one ? ExtentNode.start(b, root, 0) : 0;
    }

    private static long ofMap(byte[] b, int off) {
        for (int i = 1; i < InodeRaw.WORDS; i++) {
            if (BlockMap.root(b, off, i) != 0) {
                return 0;
            }
        }
        return BlockMap.root(b, off, 0);
    }

    private static int length(byte[] b, int from, int most) {
        int length = 0;
        while (length < most && b[from + length] != 0) {
            length++;
        }
        return length;
    }
}
