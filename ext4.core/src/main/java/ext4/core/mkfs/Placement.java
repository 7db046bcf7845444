// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.Bitmap;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/**
 * Where each group's bitmaps and inode table lie: those of a flex group one after another from its first free block on,
 * all block bitmaps, all inode bitmaps, all tables. Where that has no room each group keeps its own.
 */
final class Placement {
    private final Superblock sb;
    private final GroupLayout layout;
    private final long[] blockBitmap;
    private final long[] inodeBitmap;
    private final long[] inodeTable;

    Placement(Superblock sb, GroupLayout layout) {
        this.sb = sb;
        this.layout = layout;
        int groups = sb.groupCount();
        blockBitmap = new long[groups];
        inodeBitmap = new long[groups];
        inodeTable = new long[groups];
        int step = flexSize();
        byte[] used = new byte[(int) (((long) step * sb.blocksPerGroup() + 63) / 64 * 8)];
        for (int first = 0; first < groups; first += step) {
            int end = Math.min(first + step, groups);
            if (!together(first, end, used)) {
                for (int group = first; group < end; group++) {
                    alone(group);
                }
            }
        }
    }

    /** Groups of a flex group, at most all there are. */
    int flexSize() {
        return Math.min(sb.groupsPerFlex(), sb.groupCount());
    }

    private boolean together(int first, int end, byte[] used) {
        long start = layout.firstBlock(first);
        int bits = (int) (layout.firstBlock(end - 1) + layout.blocksIn(end - 1) - start);
        Arrays.fill(used, (byte) 0);
        for (int group = first; group < end; group++) {
            int at = (int) (layout.firstBlock(group) - start);
            Bitmap.set(used, at, Math.min(layout.baseMetadataBlocks(group), layout.blocksIn(group)));
        }
        return fill(blockBitmap, first, end, 1, used, bits)
                && fill(inodeBitmap, first, end, 1, used, bits)
                && fill(inodeTable, first, end, sb.inodeTableBlocks(), used, bits);
    }

    /** Gives each group of a flex group a run of {@code length} blocks, each as near to the front as it fits. */
    private boolean fill(long[] place, int first, int end, int length, byte[] used, int bits) {
        int from = 0;
        for (int group = first; group < end; group++) {
            int at = Bitmap.findClearRun(used, from, bits, length);
            if (at < 0) {
                return false;
            }
            Bitmap.set(used, at, length);
            place[group] = layout.firstBlock(first) + at;
            from = at + length;
        }
        return true;
    }

    private void alone(int group) {
        long at = layout.firstBlock(group) + layout.baseMetadataBlocks(group);
        blockBitmap[group] = at;
        inodeBitmap[group] = at + 1;
        inodeTable[group] = at + 2;
    }

    long blockBitmap(int group) {
        return blockBitmap[group];
    }

    long inodeBitmap(int group) {
        return inodeBitmap[group];
    }

    long inodeTable(int group) {
        return inodeTable[group];
    }
}
