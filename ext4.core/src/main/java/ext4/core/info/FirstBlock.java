// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import ext4.api.block.BlockDevice;
import ext4.format.FormatException;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import java.nio.ByteBuffer;

/** Reads the first block of a file straight from the device. */
final class FirstBlock {
    private final BlockDevice device;
    private final Superblock sb;
    private final GroupLayout layout;

    FirstBlock(BlockDevice device, Superblock sb) {
        this.device = device;
        this.sb = sb;
        layout = new GroupLayout(sb);
    }

    byte[] read(int ino) throws FormatException {
        if (ino == 0 || Integer.compareUnsigned(ino, sb.inodesCount()) > 0) {
            throw new FormatException(
                    "superblock", FormatException.UNKNOWN_BLOCK, "inode number", ino, "1 to s_inodes_count");
        }
        int group = layout.groupOfInode(ino);
        byte[] descs = block(layout.descBlockOf(group));
        int descOff = layout.descOffsetOf(group);
        GroupDesc.check(sb, group, descs, descOff, layout.descBlockOf(group));
        long table = GroupDesc.inodeTable(descs, descOff, sb.descSize());
        long recordBlock = layout.inodeBlock(ino, table);
        byte[] records = block(recordBlock);
        int off = layout.inodeOffset(ino);
        InodeRecord.check(sb, ino, records, off, recordBlock);
        long first = InodeFlags.has(InodeRecord.flags(records, off), InodeFlags.EXTENTS)
                ? throughExtents(ino, records, off, recordBlock)
                : BlockMap.root(records, off, 0);
        if (!layout.contains(first, 1)) {
            throw new FormatException("inode " + ino, recordBlock, "first block", first, "a block of the filesystem");
        }
        return block(first);
    }

    private long throughExtents(int ino, byte[] records, int off, long recordBlock) throws FormatException {
        byte[] node = records;
        int at = InodeRecord.iBlock(off);
        ExtentCheck.root(sb, ino, node, at, recordBlock);
        int seed = InodeChecksum.seed(sb, ino, InodeRecord.generation(records, off));
        for (int depth = ExtentNode.depth(node, at) - 1; depth >= 0; depth--) {
            if (ExtentNode.entries(node, at) == 0) {
                return 0;
            }
            long child = ExtentNode.child(node, at, 0);
            long first = Integer.toUnsignedLong(ExtentNode.lblk(node, at, 0));
            long end = ExtentNode.entries(node, at) > 1
                    ? Integer.toUnsignedLong(ExtentNode.lblk(node, at, 1))
                    : ExtentCheck.END;
            node = block(child);
            at = 0;
            ExtentCheck.block(sb, ino, seed, node, at, child, depth, first, end);
        }
        boolean mapped = ExtentNode.entries(node, at) > 0 && ExtentNode.lblk(node, at, 0) == 0;
        return mapped ? ExtentNode.start(node, at, 0) : 0;
    }

    private byte[] block(long pblk) {
        byte[] bytes = new byte[sb.blockSize()];
        device.read(pblk << sb.blockBits(), ByteBuffer.wrap(bytes));
        return bytes;
    }
}
