// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.group.Bitmap;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.util.Arrays;

/** Pass 5: bitmaps and counts against what is in use. */
final class BitmapPass {
    private final State state;
    private final Fs fs;
    private final Superblock sb;
    private final Report report;
    private final byte[] found;
    private final byte[] wanted;
    private final BitmapDiff diff;
    private long freeBlocks;
    private long freeInodes;

    BitmapPass(State state) {
        this.state = state;
        fs = state.fs;
        sb = fs.sb;
        report = state.report;
        found = new byte[sb.blockSize()];
        wanted = new byte[sb.blockSize()];
        diff = new BitmapDiff(report);
    }

    void run() {
        SpecialInodes special = new SpecialInodes(state);
        for (int group = 0; group < sb.groupCount(); group++) {
            blocks(group);
            inodes(group, special);
        }
        totals(sb.bytes());
    }

    /** The sums in the superblock are stale after a crash and made anew at mount: told, but no damage. */
    private void totals(byte[] raw) {
        if (SuperblockFields.freeBlocks(raw, 0) != freeBlocks) {
            report.note("Free blocks count wrong (%d, counted=%d).", SuperblockFields.freeBlocks(raw, 0), freeBlocks);
        }
        if (SuperblockFields.freeInodes(raw, 0) != freeInodes) {
            report.note("Free inodes count wrong (%d, counted=%d).", SuperblockFields.freeInodes(raw, 0), freeInodes);
        }
    }

    private void blocks(int group) {
        int count = fs.layout.blocksIn(group);
        int off = fs.descOff(group);
        byte[] claimed = state.claims.group(group);
        Arrays.fill(wanted, (byte) 0);
        if (claimed != null) {
            System.arraycopy(claimed, 0, wanted, 0, Math.min(claimed.length, wanted.length));
        }
        int free = Bitmap.countClear(wanted, 0, count);
        freeBlocks += free;
        int counted = GroupDesc.freeBlocks(fs.descs, off, sb.descSize());
        if (counted != free) {
            report.problem("Free blocks count wrong for group #%d (%d, counted=%d).", group, counted, free);
        }
        boolean uninit = fs.flag(group, GroupDesc.BLOCK_UNINIT);
        if (uninit) {
            fs.layout.synthesizeBlockBitmap(group, fs.descs, off, found);
        } else if (!load(group, GroupDesc.blockBitmap(fs.descs, off, sb.descSize()), "a block bitmap")) {
            return;
        } else if (!BitmapChecksum.verifyBlocks(sb, found, fs.descs, off)) {
            report.problem("Group %d block bitmap does not match checksum.", group);
        }
        diff.compare("Block bitmap differences", group, found, wanted, count, fs.layout.firstBlock(group));
        if (!uninit && !Bitmap.allSet(found, count, 8 * sb.blockSize() - count)) {
            report.problem("Padding at end of block bitmap of group %d is not set.", group);
        }
    }

    private boolean load(int group, long pblk, String what) {
        return !fs.noBitmaps.get(group) && fs.read(pblk, 1, found, what);
    }

    private void inodes(int group, SpecialInodes special) {
        int off = fs.descOff(group);
        int perGroup = sb.inodesPerGroup();
        int directories = wantedInodes(group, special);
        int free = Bitmap.countClear(wanted, 0, perGroup);
        freeInodes += free;
        int counted = GroupDesc.freeInodes(fs.descs, off, sb.descSize());
        if (counted != free) {
            report.problem("Free inodes count wrong for group #%d (%d, counted=%d).", group, counted, free);
        }
        int usedDirs = GroupDesc.usedDirs(fs.descs, off, sb.descSize());
        if (usedDirs != directories) {
            report.problem("Directories count wrong for group #%d (%d, counted=%d).", group, usedDirs, directories);
        }
        boolean uninit = fs.flag(group, GroupDesc.INODE_UNINIT);
        if (uninit) {
            Arrays.fill(found, (byte) 0);
        } else if (!load(group, GroupDesc.inodeBitmap(fs.descs, off, sb.descSize()), "an inode bitmap")) {
            return;
        } else if (!BitmapChecksum.verifyInodes(sb, found, fs.descs, off)) {
            report.problem("Group %d inode bitmap does not match checksum.", group);
        }
        long first = Integer.toUnsignedLong(fs.layout.inode(group, 0));
        diff.compare("Inode bitmap differences", group, found, wanted, perGroup, first);
        if (!uninit && !Bitmap.allSet(found, perGroup, 8 * sb.blockSize() - perGroup)) {
            report.problem("Padding at end of inode bitmap of group %d is not set.", group);
        }
    }

    /** Fills the wanted inode bitmap; how many directories are in the group. */
    private int wantedInodes(int group, SpecialInodes special) {
        Arrays.fill(wanted, (byte) 0);
        int perGroup = sb.inodesPerGroup();
        int first = fs.layout.inode(group, 0);
        int last = fs.layout.inode(group, perGroup - 1);
        int directories = 0;
        for (int index = 0; index < perGroup; index++) {
            if (!special.isReserved(first + index) && first + index != SpecialInodes.ROOT) {
                break;
            }
            Bitmap.set(wanted, index);
        }
        for (int ino = state.inodes.nextUsed(first, last); ino != 0; ) {
            Bitmap.set(wanted, ino - first);
            directories += state.inodes.isDirectory(ino) ? 1 : 0;
            ino = ino == last ? 0 : state.inodes.nextUsed(ino + 1, last);
        }
        return directories;
    }
}
