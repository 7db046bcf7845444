// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.group.GroupDesc;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** The descriptors: checksums, places, flags; and the claims of what they place. */
final class GroupCheck {
    private final State state;
    private final Fs fs;
    private final Superblock sb;
    private final Report report;

    GroupCheck(State state) {
        this.state = state;
        fs = state.fs;
        sb = fs.sb;
        report = state.report;
    }

    void run() {
        for (int group = 0; group < sb.groupCount(); group++) {
            state.claims.claim(
                    fs.layout.firstBlock(group),
                    Math.min(fs.layout.baseMetadataBlocks(group), fs.layout.blocksIn(group)));
        }
        for (int group = 0; group < sb.groupCount(); group++) {
            checksum(group);
            flags(group);
            places(group);
        }
    }

    private void checksum(int group) {
        int off = fs.descOff(group);
        if (!GroupDesc.verify(sb, group, fs.descs, off)) {
            fs.untrusted.set(group);
            report.problem(
                    "Group descriptor %d checksum is 0x%04x, should be 0x%04x.",
                    group, GroupDesc.storedChecksum(fs.descs, off), GroupDesc.checksum(sb, group, fs.descs, off));
        }
    }

    private void flags(int group) {
        int off = fs.descOff(group);
        int unused = GroupDesc.itableUnused(fs.descs, off, sb.descSize());
        if (!sb.groupFlagsValid()) {
            int uninit = GroupDesc.INODE_UNINIT | GroupDesc.BLOCK_UNINIT;
            if ((GroupDesc.flags(fs.descs, off) & uninit) != 0) {
                report.problem("Group descriptor %d marked uninitialized without feature set.", group);
            }
            return;
        }
        if (Integer.compareUnsigned(unused, sb.inodesPerGroup()) > 0) {
            report.problem(
                    "Group descriptor %d has invalid unused inodes count %d.", group, Integer.toUnsignedLong(unused));
        }
        if (group == sb.groupCount() - 1 && fs.flag(group, GroupDesc.BLOCK_UNINIT)) {
            report.problem("Last group block bitmap uninitialized.");
        }
    }

    private void places(int group) {
        int off = fs.descOff(group);
        long blockBitmap = GroupDesc.blockBitmap(fs.descs, off, sb.descSize());
        long inodeBitmap = GroupDesc.inodeBitmap(fs.descs, off, sb.descSize());
        long table = fs.inodeTable(group);
        if (!inPlace(group, blockBitmap, 1)) {
            report.problem("Block bitmap for group %d is not in group.  (block %d)", group, blockBitmap);
            fs.noBitmaps.set(group);
        } else {
            claim(group, "block bitmap", blockBitmap, 1);
        }
        if (!inPlace(group, inodeBitmap, 1)) {
            report.problem("Inode bitmap for group %d is not in group.  (block %d)", group, inodeBitmap);
            fs.noBitmaps.set(group);
        } else {
            claim(group, "inode bitmap", inodeBitmap, 1);
        }
        if (!inPlace(group, table, sb.inodeTableBlocks())) {
            report.problem("Inode table for group %d is not in group.  (block %d)", group, table);
            fs.noTable.set(group);
        } else {
            claim(group, "inode table", table, sb.inodeTableBlocks());
        }
    }

    /** With flex_bg a group's structures may be anywhere, else only in the group. */
    private boolean inPlace(int group, long pblk, int blocks) {
        if (sb.has(Feature.FLEX_BG)) {
            return fs.isLegal(pblk, blocks);
        }
        long first = fs.layout.firstBlock(group);
        return fs.isLegal(pblk, blocks) && pblk >= first && pblk + blocks <= first + fs.layout.blocksIn(group);
    }

    private void claim(int group, String what, long pblk, int blocks) {
        long first = state.claims.firstSet(pblk, blocks);
        if (state.claims.claim(pblk, blocks) != 0) {
            report.problem(
                    "Group %d's %s at %d conflicts with some other fs block (block %d).", group, what, pblk, first);
        }
    }
}
