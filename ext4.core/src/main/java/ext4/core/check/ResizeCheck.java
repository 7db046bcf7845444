// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.BlockMap;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/**
 * The resize inode: only its double indirect pointer is used, and the block there lists the reserved descriptor blocks,
 * each of which lists its copies in the groups with a backup.
 */
final class ResizeCheck {
    private static final int DOUBLE_INDIRECT = 13;

    private final Fs fs;
    private final Superblock sb;

    ResizeCheck(Fs fs) {
        this.fs = fs;
        sb = fs.sb;
    }

    void run() {
        byte[] record = new byte[sb.blockSize()];
        int off = fs.readInode(SpecialInodes.RESIZE, record);
        if (!sb.has(Feature.RESIZE_INODE)) {
            if (sb.reservedGdtBlocks() != 0) {
                fs.report.problem(
                        "Resize_inode not enabled, but the number of reserved descriptor blocks is %d.",
                        sb.reservedGdtBlocks());
            }
            if (off >= 0 && !onlyPointer(record, off, -1)) {
                fs.report.problem("Resize_inode not enabled, but the resize inode is non-zero.");
            }
            return;
        }
        if (off >= 0 && !holds(record, off)) {
            fs.report.problem("Resize inode not valid.");
        }
    }

    /** Whether no pointer but one is set. */
    private static boolean onlyPointer(byte[] record, int off, int slot) {
        for (int i = 0; i < InodeRaw.WORDS; i++) {
            if (i != slot && BlockMap.root(record, off, i) != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(byte[] record, int off) {
        long pblk = BlockMap.root(record, off, DOUBLE_INDIRECT);
        if (!onlyPointer(record, off, DOUBLE_INDIRECT)
                || !fs.isLegal(pblk)
                || InodeRecord.links(record, off) == 0
                || !FileMode.isRegular(InodeRecord.mode(record, off))) {
            return false;
        }
        byte[] lists = new byte[sb.blockSize()];
        byte[] list = new byte[sb.blockSize()];
        if (!fs.read(pblk, 1, lists, "the resize inode")) {
            return false;
        }
        int pointers = sb.blockSize() / 4;
        for (int i = 0; i < sb.reservedGdtBlocks(); i++) {
            long expected = sb.block() + 1 + sb.descBlocks() + i;
            if (BlockMap.pointer(lists, (sb.descBlocks() + i) % pointers) != expected
                    || !fs.read(expected, 1, list, "the resize inode")
                    || !copies(list, expected, pointers)) {
                return false;
            }
        }
        return true;
    }

    private boolean copies(byte[] list, long block, int pointers) {
        int slot = 0;
        for (int group = 1; group < sb.groupCount() && slot < pointers; group++) {
            if (!fs.layout.hasSuper(group)) {
                continue;
            }
            if (BlockMap.pointer(list, slot++) != block + (long) group * sb.blocksPerGroup()) {
                return false;
            }
        }
        return true;
    }
}
