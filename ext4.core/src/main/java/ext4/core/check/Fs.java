// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** The filesystem under the check: its superblock, all its descriptors, and reads that report instead of failing. */
final class Fs {
    final BlockDevice device;
    final Superblock sb;
    final GroupLayout layout;
    final Report report;
    /** All group descriptors, one behind the other. */
    final byte[] descs;
    /** Groups whose descriptor's checksum is wrong: their flags count for nothing. */
    final BitSet untrusted = new BitSet();
    /** Groups whose inode table cannot be where the descriptor says. */
    final BitSet noTable = new BitSet();
    /** Groups whose block or inode bitmap cannot be where the descriptor says. */
    final BitSet noBitmaps = new BitSet();

    Fs(BlockDevice device, Superblock sb, Report report, byte[] descs) {
        this.device = device;
        this.sb = sb;
        this.layout = new GroupLayout(sb);
        this.report = report;
        this.descs = descs;
    }

    int descOff(int group) {
        return group * sb.descSize();
    }

    boolean flag(int group, int flag) {
        return !untrusted.get(group) && GroupDesc.hasFlag(sb, descs, descOff(group), flag);
    }

    long inodeTable(int group) {
        return GroupDesc.inodeTable(descs, descOff(group), sb.descSize());
    }

    /** Inodes at the front of a group's table that may be in use. */
    int inodesToScan(int group) {
        if (flag(group, GroupDesc.INODE_UNINIT)) {
            return 0;
        }
        if (!sb.groupFlagsValid() || untrusted.get(group)) {
            return sb.inodesPerGroup();
        }
        int unused = GroupDesc.itableUnused(descs, descOff(group), sb.descSize());
        return Integer.compareUnsigned(unused, sb.inodesPerGroup()) > 0
                ? sb.inodesPerGroup()
                : sb.inodesPerGroup() - unused;
    }

    /** Whether a block number can be that of a data or metadata block. */
    boolean isLegal(long pblk) {
        return pblk >= Math.max(1, sb.firstDataBlock()) && pblk < sb.blocksCount();
    }

    boolean isLegal(long pblk, long count) {
        return isLegal(pblk) && pblk <= sb.blocksCount() - count;
    }

    boolean isInode(int ino) {
        return ino != 0 && Integer.compareUnsigned(ino, sb.inodesCount()) <= 0;
    }

    /** Reads whole blocks into the front of {@code into}; false, and a problem, if that fails. */
    boolean read(long pblk, int count, byte[] into, String what) {
        try {
            device.read(pblk << sb.blockBits(), ByteBuffer.wrap(into, 0, count << sb.blockBits()));
            return true;
        } catch (DeviceException e) {
            report.problem("Error reading block %d (%s) while reading %s.", pblk, e.getMessage(), what);
            return false;
        }
    }

    /** Reads the block with an inode's record; the byte where it begins there, or -1. */
    int readInode(int ino, byte[] block) {
        int group = layout.groupOfInode(ino);
        if (!isInode(ino) || noTable.get(group)) {
            return -1;
        }
        return read(layout.inodeBlock(ino, inodeTable(group)), 1, block, "an inode table")
                ? layout.inodeOffset(ino)
                : -1;
    }
}
