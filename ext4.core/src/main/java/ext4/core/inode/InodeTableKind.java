// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.core.alloc.GroupTable;
import ext4.core.cache.BlockKind;

/**
 * A block of a group's inode table. Checksums are per record and made when a record is written; records are checked when
 * decoded. A block none of whose inodes was ever used is not read but made of zeros: what the device has there may never
 * have been initialised (lazy initialisation of tables, see mke2fs(8) lazy_itable_init).
 */
record InodeTableKind(GroupTable groups, int group, int inodesPerBlock) implements BlockKind {
    @Override
    public Loss loss() {
        return Loss.ALWAYS;
    }

    @Override
    public String what() {
        return "inode table of group " + group;
    }

    @Override
    public boolean synthesize(byte[] block, long pblk) {
        return untouched(pblk);
    }

    boolean untouched(long pblk) {
        return (pblk - groups.inodeTable(group)) * inodesPerBlock >= groups.inodesTouched(group);
    }

    @Override
    public long id() {
        return group;
    }

    @Override
    public void verify(byte[] block, long pblk) {
        // record by record, see InodeCodec
    }

    @Override
    public void seal(byte[] block, long pblk) {
        // record by record, see InodeStore
    }
}
