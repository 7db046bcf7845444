// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.core.alloc.GroupTable;
import ext4.core.alloc.InodeBitmaps;
import ext4.format.inode.InodeFlags;
import ext4.format.superblock.Superblock;

/**
 * In which group a new inode is looked for first. A file goes to its directory's group, so that a directory's files are
 * close together. A directory at the top goes to the emptiest of all groups, any other to the one with the fewest
 * directories among the groups behind its parent's: so trees keep together, and directories that are filled side by side
 * stand in different groups, whose locks do not meet. (The idea is Orlov's allocator, Documentation/filesystems/ext4/
 * allocators.rst.)
 */
final class InodePlacement {
    /** How far behind its parent's group a directory may go. */
    private static final int NEIGHBOURS = 16;

    private final Superblock sb;
    private final GroupTable groups;
    private final InodeBitmaps bitmaps;

    InodePlacement(Superblock sb, GroupTable groups, InodeBitmaps bitmaps) {
        this.sb = sb;
        this.groups = groups;
        this.bitmaps = bitmaps;
    }

    /** The group to begin with. The parent's lock is held. */
    int group(Inode parent, boolean directory) {
        int home = Integer.divideUnsigned(parent.ino - 1, sb.inodesPerGroup());
        if (!directory) {
            return home;
        }
        boolean top = parent.ino == Inode.ROOT || parent.hasFlag(InodeFlags.TOPDIR);
        return top ? emptiest(home, groups.count()) : emptiest(home, Math.min(NEIGHBOURS, groups.count()));
    }

    /** Of {@code count} groups from {@code from} on, the one with fewest directories that is not fuller than most. */
    private int emptiest(int from, int count) {
        long meanInodes = groups.freeInodes() / groups.count();
        long meanBlocks = groups.freeBlocks() / groups.count();
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            int g = (from + i) % groups.count();
            boolean room = bitmaps.freeInodes(g) > 0
                    && bitmaps.freeInodes(g) >= meanInodes / 2
                    && bitmaps.freeBlocks(g) >= meanBlocks / 2;
            if (room && bitmaps.usedDirs(g) < fewest) {
                best = g;
                fewest = bitmaps.usedDirs(g);
                if (fewest == 0) {
                    return best;
                }
            }
        }
        return best >= 0 ? best : from;
    }
}
