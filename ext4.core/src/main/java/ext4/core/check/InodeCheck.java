// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.extent.ExtentNode;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeDtime;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** One inode record and all its blocks. */
final class InodeCheck {
    private final State state;
    private final Superblock sb;
    private final Report report;
    private final FileBlocks blocks;
    private final XattrCheck xattrs;
    private final SymlinkCheck symlinks;
    private final SizeCheck sizes;
    private final SpecialInodes special;
    private final boolean lowDtimeMatters;

    InodeCheck(State state, boolean lowDtimeMatters) {
        this.state = state;
        this.lowDtimeMatters = lowDtimeMatters;
        sb = state.fs.sb;
        report = state.report;
        blocks = new FileBlocks(state);
        xattrs = new XattrCheck(state);
        symlinks = new SymlinkCheck(state.fs);
        sizes = new SizeCheck(state, blocks);
        special = new SpecialInodes(state);
    }

    /** Checks the record at {@code off}. Call it for each inode in rising order. */
    void check(int ino, byte[] b, int off) {
        boolean reserved = special.isReserved(ino);
        if (InodeRaw.isZero(sb, b, off)) {
            special.zero(ino);
            return;
        }
        long unsigned = Integer.toUnsignedLong(ino);
        if (!InodeChecksum.verify(sb, ino, b, off)) {
            report.problem(
                    "Inode %d checksum does not match inode (0x%08x, should be 0x%08x).",
                    unsigned, InodeChecksum.stored(b, off, sb.inodeSize()), InodeChecksum.checksum(sb, ino, b, off));
        }
        int dtime = InodeDtime.get(b, off);
        if (lowDtimeMatters && dtime != 0 && Integer.compareUnsigned(dtime, sb.inodesCount()) < 0) {
            report.problem("Inode %d was part of the orphaned inode list (dtime %d).", unsigned, dtime);
        }
        if (reserved) {
            reserved(ino, b, off);
            return;
        }
        if (InodeRecord.links(b, off) == 0) {
            if (dtime == 0 && InodeRecord.mode(b, off) != 0) {
                report.problem("Deleted inode %d has zero dtime.", unsigned);
            }
            return;
        }
        if (dtime != 0) {
            report.problem("Inode %d is in use, but has dtime set.", unsigned);
        }
        live(ino, b, off);
    }

    private void reserved(int ino, byte[] b, int off) {
        special.check(ino, b, off);
        reservedFlags(ino, InodeRecord.flags(b, off));
        int mode = InodeRecord.mode(b, off);
        if (InodeRecord.links(b, off) != 0) {
            state.inodes.use(ino, mode, InodeRecord.links(b, off));
        }
        if (ino == SpecialInodes.BAD_BLOCKS) {
            blocks.begin(ino, false);
            state.walk.walk(ino, b, off, blocks);
            return;
        }
        if (!special.isQuota(ino)) {
            blocks(ino, b, off, FileMode.isDirectory(mode));
        }
    }

    private void reservedFlags(int ino, int flags) {
        require(ino, flags, InodeFlags.CASEFOLD, false, "casefold");
        boolean both = sb.has(Feature.EXTENTS) && InodeFlags.has(flags, InodeFlags.EXTENTS);
        if (both || ino == SpecialInodes.BAD_BLOCKS || ino == SpecialInodes.RESIZE || ino == sb.journalIno()) {
            require(ino, flags, InodeFlags.INLINE_DATA, false, "inline data");
        }
        if (ino == SpecialInodes.BAD_BLOCKS || ino == SpecialInodes.RESIZE || ino == SpecialInodes.JOURNAL) {
            extents(ino, flags);
        }
    }

    /** Returns whether the flag is set. */
    private boolean extents(int ino, int flags) {
        boolean set = InodeFlags.has(flags, InodeFlags.EXTENTS);
        if (set && !sb.has(Feature.EXTENTS)) {
            report.problem(
                    "Inode %d is in extent format, but superblock is missing EXTENTS feature.",
                    Integer.toUnsignedLong(ino));
        }
        return set;
    }

    private void live(int ino, byte[] b, int off) {
        int mode = InodeRecord.mode(b, off);
        state.inodes.use(ino, mode, InodeRecord.links(b, off));
        if (ino == SpecialInodes.ROOT && !FileMode.isDirectory(mode)) {
            report.problem("Root inode is not a directory.");
        }
        highFields(ino, b, off);
        flags(ino, b, off);
        xattrs.inInode(ino, b, off);
        boolean directory = FileMode.isDirectory(mode);
        if (!FileMode.isKnown(mode)) {
            report.problem("Inode %d has a bad mode (0%o).", Integer.toUnsignedLong(ino), mode);
        } else if (FileMode.isSymlink(mode)) {
            if (!symlinks.holds(b, off)) {
                report.problem("Symlink (inode #%d) is invalid.", Integer.toUnsignedLong(ino));
            }
        } else if (!directory && !FileMode.isRegular(mode)) {
            specialFile(ino, b, off);
        }
        blocks(ino, b, off, directory);
        if (directory) {
            int mark = blocks.damaged ? DirTable.UNREADABLE : 0;
            boolean indexed = InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.INDEX);
            state.dirs.add(ino, indexed ? mark | DirTable.INDEXED : mark);
        }
    }

    private void highFields(int ino, byte[] b, int off) {
        long unsigned = Integer.toUnsignedLong(ino);
        if (InodeRaw.faddr(b, off) != 0) {
            report.problem("i_faddr for inode %d is %d, should be zero.", unsigned, InodeRaw.faddr(b, off));
        }
        if (!sb.has(Feature.HUGE_FILE) && InodeRaw.blocksHigh(b, off) != 0) {
            report.problem("i_blocks_hi for inode %d is %d, should be zero.", unsigned, InodeRaw.blocksHigh(b, off));
        }
        if (!sb.has(Feature.BIT64) && InodeRaw.fileAclHigh(b, off) != 0) {
            report.problem("i_file_acl_hi for inode %d is %d, should be zero.", unsigned, InodeRaw.fileAclHigh(b, off));
        }
        if (FileMode.isDirectory(InodeRecord.mode(b, off)) && InodeRaw.sizeHigh(b, off) != 0) {
            report.problem("i_size_high for inode %d is %d, should be zero.", unsigned, InodeRaw.sizeHigh(b, off));
        }
    }

    private void flags(int ino, byte[] b, int off) {
        int flags = InodeRecord.flags(b, off);
        int mode = InodeRecord.mode(b, off);
        require(ino, flags, InodeFlags.IMAGIC, sb.has(Feature.IMAGIC_INODES), "imagic");
        require(ino, flags, InodeFlags.ENCRYPT, false, "encrypt");
        require(ino, flags, InodeFlags.INLINE_DATA, false, "inline data");
        require(ino, flags, InodeFlags.CASEFOLD, false, "casefold");
        if (!FileMode.isKnown(mode) || special.isDevice(mode)) {
            return;
        }
        if (!extents(ino, flags)
                && sb.has(Feature.EXTENTS)
                && ExtentWalk.headerHolds(b, InodeRecord.iBlock(off), ExtentNode.ROOT_MAX)
                && !(FileMode.isSymlink(mode) && SymlinkCheck.isFast(b, off))) {
            report.problem("Inode %d missing EXTENT_FL, but is in extents format.", Integer.toUnsignedLong(ino));
        }
    }

    private void require(int ino, int flags, int flag, boolean feature, String name) {
        if (InodeFlags.has(flags, flag) && !feature) {
            report.problem(
                    "Inode %d has the %s flag set on a filesystem without its support.",
                    Integer.toUnsignedLong(ino), name);
        }
    }

    private void specialFile(int ino, byte[] b, int off) {
        int flags = InodeRecord.flags(b, off);
        if (InodeFlags.has(flags, InodeFlags.EXTENTS) || InodeFlags.has(flags, InodeFlags.INDEX)) {
            report.problem(
                    "Special (device/socket/fifo) inode %d has flags of a file with blocks (0x%x).",
                    Integer.toUnsignedLong(ino), flags);
        }
        if (InodeRaw.size(b, off) != 0) {
            report.problem("Special (device/socket/fifo) inode %d has non-zero size.", Integer.toUnsignedLong(ino));
        }
    }

    private void blocks(int ino, byte[] b, int off, boolean directory) {
        int mode = InodeRecord.mode(b, off);
        blocks.begin(ino, directory);
        if (xattrs.outside(ino, b, off, blocks, special.isReserved(ino))) {
            blocks.blocks++;
        }
        boolean fast = FileMode.isSymlink(mode) && SymlinkCheck.isFast(b, off);
        if (special.hasBlocks(mode) && !fast) {
            long before = blocks.blocks;
            state.walk.walk(ino, b, off, blocks);
            if (directory && blocks.blocks == before) {
                report.problem("Inode %d is a zero-length directory.", Integer.toUnsignedLong(ino));
            }
        }
        index(ino, InodeRecord.flags(b, off), mode);
        sizes.check(ino, b, off);
    }

    private void index(int ino, int flags, int mode) {
        if (InodeFlags.has(flags, InodeFlags.INDEX) && !FileMode.isDirectory(mode)) {
            report.problem("Inode %d has INDEX_FL flag set but is not a directory.", Integer.toUnsignedLong(ino));
        } else {
            require(ino, flags, InodeFlags.INDEX, sb.has(Feature.DIR_INDEX), "INDEX_FL");
        }
    }
}
