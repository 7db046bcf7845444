// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.Bitmap;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;

/**
 * Writes bitmaps and descriptors of all groups. With group checksums a bitmap that anyone can derive is left out and
 * flagged so.
 */
final class GroupWriter {
    private final Superblock sb;
    private final GroupLayout layout;
    private final Placement placement;
    private final Space space;
    private final InodeTables inodes;
    private final boolean tablesZeroed;
    private final byte[][] descBlocks;
    private long freeBlocks;
    private long freeInodes;

    /** @param tablesZeroed whether all inode tables read as zeros but for the inodes in use */
    GroupWriter(
            Superblock sb,
            GroupLayout layout,
            Placement placement,
            Space space,
            InodeTables inodes,
            boolean tablesZeroed) {
        this.sb = sb;
        this.layout = layout;
        this.placement = placement;
        this.space = space;
        this.inodes = inodes;
        this.tablesZeroed = tablesZeroed;
        descBlocks = new byte[sb.descBlocks()][sb.blockSize()];
    }

    /** Zeroes what inodes that don't exist yet would be read from. */
    void zeroTables(Output out) {
        for (int group = 0; group < sb.groupCount(); group++) {
            out.zero(placement.inodeTable(group), sb.inodeTableBlocks());
        }
    }

    /** Fills the descriptors, and writes the bitmaps that are needed. */
    void bitmaps(Output out) {
        int flex = placement.flexSize();
        byte[] bitmap = new byte[sb.blockSize()];
        for (int first = 0; first < sb.groupCount(); first += flex) {
            int end = Math.min(first + flex, sb.groupCount());
            for (int group = first; group < end; group++) {
                blocks(group, bitmap, out);
            }
            for (int group = first; group < end; group++) {
                inodes(group, bitmap, out);
            }
        }
    }

    private void blocks(int group, byte[] bitmap, Output out) {
        byte[] desc = descBlocks[group / sb.descsPerBlock()];
        int off = layout.descOffsetOf(group);
        int size = sb.descSize();
        boolean foreign = space.fill(group, bitmap);
        int free = Bitmap.countClear(bitmap, 0, layout.blocksIn(group));
        GroupDesc.setBlockBitmap(desc, off, size, placement.blockBitmap(group));
        GroupDesc.setInodeBitmap(desc, off, size, placement.inodeBitmap(group));
        GroupDesc.setInodeTable(desc, off, size, placement.inodeTable(group));
        GroupDesc.setFreeBlocks(desc, off, size, free);
        freeBlocks += free;
        boolean last = group == sb.groupCount() - 1;
        if (sb.groupFlagsValid() && !foreign && group != 0 && !last) {
            GroupDesc.setFlags(desc, off, GroupDesc.BLOCK_UNINIT);
        } else {
            BitmapChecksum.sealBlocks(sb, bitmap, desc, off);
            out.block(placement.blockBitmap(group), bitmap);
        }
    }

    private void inodes(int group, byte[] bitmap, Output out) {
        byte[] desc = descBlocks[group / sb.descsPerBlock()];
        int off = layout.descOffsetOf(group);
        int size = sb.descSize();
        int used = inodes.usedIn(group);
        int free = sb.inodesPerGroup() - used;
        GroupDesc.setFreeInodes(desc, off, size, free);
        GroupDesc.setUsedDirs(desc, off, size, directories(group));
        freeInodes += free;
        int flags = GroupDesc.flags(desc, off);
        if (sb.groupFlagsValid()) {
            GroupDesc.setItableUnused(desc, off, size, free);
            flags |= tablesZeroed ? GroupDesc.INODE_ZEROED : 0;
        }
        if (sb.groupFlagsValid() && used == 0 && group != 0) {
            flags |= GroupDesc.INODE_UNINIT;
        } else {
            layout.synthesizeInodeBitmap(bitmap);
            Bitmap.set(bitmap, 0, used);
            BitmapChecksum.sealInodes(sb, bitmap, desc, off);
            out.block(placement.inodeBitmap(group), bitmap);
        }
        GroupDesc.setFlags(desc, off, flags);
        GroupDesc.seal(sb, group, desc, off);
    }

    private int directories(int group) {
        return (layout.groupOfInode(SystemFiles.ROOT_INO) == group ? 1 : 0)
                + (layout.groupOfInode(Geometry.LOST_FOUND_INO) == group ? 1 : 0);
    }

    /** Writes the descriptors and all copies of them. */
    void descriptors(Output out) {
        for (int group = 0; group < sb.groupCount(); group++) {
            if (layout.hasSuper(group)) {
                copies(group, 0, descBlocks.length, out);
            } else {
                int index = group / sb.descsPerBlock();
                copies(group, index, index + 1, out);
            }
        }
    }

    private void copies(int group, int from, int to, Output out) {
        for (int index = from; index < to; index++) {
            long pblk = layout.descBlockCopy(index, group);
            if (pblk >= 0) {
                out.block(pblk, descBlocks[index]);
            }
        }
    }

    long freeBlocks() {
        return freeBlocks;
    }

    long freeInodes() {
        return freeInodes;
    }
}
