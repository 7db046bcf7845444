// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.FormatException;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.xattr.XattrArea;
import ext4.format.xattr.XattrBlock;
import ext4.format.xattr.XattrEntry;
import ext4.format.xattr.XattrHash;
import ext4.format.xattr.XattrList;

/** Extended attributes: the list in the inode and the block outside. */
final class XattrCheck {
    private static final int MIN_EXTRA = 4;

    private final State state;
    private final Superblock sb;
    private final byte[] block;

    XattrCheck(State state) {
        this.state = state;
        sb = state.fs.sb;
        block = new byte[sb.blockSize()];
    }

    /** i_extra_isize and the list behind it. */
    void inInode(int ino, byte[] b, int off) {
        int room = sb.inodeSize() - InodeRecord.BASE_SIZE;
        int extra = InodeRaw.extraIsize(b, off, sb.inodeSize());
        long unsigned = Integer.toUnsignedLong(ino);
        if (room == 0) {
            return;
        }
        if (extra != 0 && (extra < MIN_EXTRA || extra > room || extra % 4 != 0)) {
            state.report.problem("Inode %d has a extra size (%d) which is invalid.", unsigned, extra);
            return;
        }
        XattrArea area = XattrArea.ofInode(off, sb.inodeSize(), extra);
        if (!area.isPresent(b)) {
            return;
        }
        try {
            XattrList.validate(area, b, FormatException.UNKNOWN_BLOCK);
        } catch (FormatException e) {
            state.report.problem("Extended attribute in inode %d is damaged (%s).", unsigned, e.getMessage());
            return;
        }
        entries(unsigned, area, b);
    }

    /** Whether the inode has an attribute block that counts as one of its blocks. */
    boolean outside(int ino, byte[] b, int off, FileBlocks blocks, boolean reserved) {
        long pblk = InodeRecord.fileAcl(b, off);
        if (!sb.has(Feature.BIT64)) {
            pblk &= 0xFFFFFFFFL;
        }
        long unsigned = Integer.toUnsignedLong(ino);
        if (pblk == 0) {
            return false;
        }
        if (!sb.has(Feature.EXT_ATTR) || !state.fs.isLegal(pblk)) {
            if (reserved) {
                return false;
            }
            state.report.problem("i_file_acl for inode %d is %d, should be zero.", unsigned, pblk);
            return false;
        }
        if (state.xattrs.use(pblk)) {
            return true;
        }
        blocks.claim(pblk, 1);
        if (state.fs.read(pblk, 1, block, "an extended attribute block")) {
            check(unsigned, pblk);
        }
        return true;
    }

    private void check(long ino, long pblk) {
        state.xattrs.first(pblk, XattrBlock.refcount(block));
        if (sb.metadataCsum() && !XattrBlock.verify(block, pblk, sb.csumSeed())) {
            state.report.problem("Inode %d extended attribute block %d: checksum does not match block.", ino, pblk);
        }
        try {
            XattrBlock.validate(block, pblk);
        } catch (FormatException e) {
            state.report.problem(
                    "Extended attribute block %d of inode %d is corrupted (%s).", pblk, ino, e.getMessage());
            return;
        }
        entries(ino, XattrArea.ofBlock(block.length), block);
    }

    private void entries(long ino, XattrArea area, byte[] b) {
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            if (area.inBlock() && XattrEntry.nameIndex(b, at) == 0) {
                state.report.problem("Extended attribute block of inode %d is corrupt (invalid name).", ino);
            }
            int offset = XattrEntry.valueOffs(b, at);
            if (XattrEntry.valueSize(b, at) == 0 && offset > area.end() - area.base()) { // validated where it has bytes
                state.report.problem(
                        "Extended attribute in inode %d has a value offset (%d) which is invalid.", ino, offset);
            }
            if (XattrEntry.valueInum(b, at) != 0) {
                state.report.problem(
                        "Extended attribute in inode %d has a value inode (%d) which is invalid.",
                        ino, Integer.toUnsignedLong(XattrEntry.valueInum(b, at)));
            } else if ((area.inBlock() || XattrEntry.hash(b, at) != 0) && !XattrHash.verify(area, b, at)) {
                state.report.problem(
                        "Extended attribute in inode %d has a hash (0x%08x) which is invalid.",
                        ino, XattrEntry.hash(b, at));
            }
        }
    }
}
