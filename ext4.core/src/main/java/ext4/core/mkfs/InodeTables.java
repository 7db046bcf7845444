// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.GroupLayout;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import java.util.Map;
import java.util.TreeMap;

/** The blocks of the inode tables that hold the first inodes; numbers from 1 on are used without a gap. */
final class InodeTables {
    private final Superblock sb;
    private final GroupLayout layout;
    private final Placement placement;
    private final Map<Long, byte[]> blocks = new TreeMap<>();
    private int used;

    InodeTables(Superblock sb, GroupLayout layout, Placement placement) {
        this.sb = sb;
        this.layout = layout;
        this.placement = placement;
        for (int ino = 1; ino < sb.firstIno(); ino++) {
            put(ino, new byte[sb.inodeSize()]); // the reserved ones that stay empty
        }
    }

    /** Stores a record with its checksum. */
    void put(int ino, byte[] record) {
        InodeChecksum.seal(sb, ino, record, 0);
        long pblk = layout.inodeBlock(ino, placement.inodeTable(layout.groupOfInode(ino)));
        byte[] block = blocks.computeIfAbsent(pblk, key -> new byte[sb.blockSize()]);
        System.arraycopy(record, 0, block, layout.inodeOffset(ino), sb.inodeSize());
        used = Math.max(used, ino);
    }

    /** An empty record for a new inode. */
    byte[] newRecord() {
        byte[] record = new byte[sb.inodeSize()];
        InodeRecord.initialize(record, 0, sb.inodeSize(), sb.wantExtraIsize());
        return record;
    }

    /** How many inodes of a group are in use: its first ones. */
    int usedIn(int group) {
        return Math.clamp(used - (long) group * sb.inodesPerGroup(), 0, sb.inodesPerGroup());
    }

    void write(Output out) {
        blocks.forEach(out::block);
    }
}
