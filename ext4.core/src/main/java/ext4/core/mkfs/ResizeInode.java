// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.GroupLayout;
import ext4.format.inode.BlockMap;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;

/**
 * Inode 7, which owns the blocks reserved for more group descriptors: its double indirect block points at each reserved
 * block of group 0, and that one in turn lists its copies in the groups with backups.
 */
final class ResizeInode {
    private static final int INO = 7;
    private static final int DOUBLE_INDIRECT = 13;

    private final Superblock sb;
    private final GroupLayout layout;
    private final int[] backups;

    ResizeInode(Superblock sb, GroupLayout layout) {
        this.sb = sb;
        this.layout = layout;
        backups = Backups.of(sb, layout);
    }

    void make(Space space, SystemFiles files, InodeTables inodes, Output out) {
        int perBlock = sb.blockSize() / 4;
        int reserved = sb.reservedGdtBlocks();
        byte[] top = new byte[sb.blockSize()];
        long blocks = 1;
        for (int i = 0; i < reserved; i++) {
            int index = sb.descBlocks() + i;
            long pblk = sb.block() + 1 + index;
            BlockMap.setPointer(top, index % perBlock, pblk);
            blocks += 1 + list(index, pblk, out);
        }
        long at = space.allocate(0, 1).getFirst().start();
        out.block(at, top);
        long size = ((long) perBlock * perBlock + perBlock + 12) * sb.blockSize();
        byte[] record = files.newFile(FileMode.S_IFREG | 0600, 1, size);
        BlockMap.setRoot(record, 0, DOUBLE_INDIRECT, at);
        if (!InodeRecord.setSectors(sb, record, 0, blocks << sb.blockBits() - 9)) {
            throw new IllegalStateException("reserved descriptor blocks exceed 2 TiB");
        }
        inodes.put(INO, record);
    }

    /** Lists the copies of one reserved block; how many there are. */
    private int list(int index, long pblk, Output out) {
        byte[] copies = new byte[sb.blockSize()];
        int count = 0;
        for (int group : backups) {
            BlockMap.setPointer(copies, count++, layout.superBlock(group) + 1 + index);
        }
        out.block(pblk, copies);
        return count;
    }
}
