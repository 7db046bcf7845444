// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.Bitmap;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which blocks are in use: those of the placement and those given out here. No bitmap is kept; a group's is computed when
 * asked for, since nearly all groups of a large filesystem are asked for once.
 */
final class Space {
    /** How many groups are searched for a place where a file lies in one piece. */
    private static final int PATIENCE = 64;

    private final Superblock sb;
    private final GroupLayout layout;
    private final Placement placement;
    private final int flexSize;
    private final List<Run> given = new ArrayList<>();

    Space(Superblock sb, GroupLayout layout, Placement placement) {
        this.sb = sb;
        this.layout = layout;
        this.placement = placement;
        flexSize = placement.flexSize();
    }

    /**
     * Computes a group's block bitmap.
     *
     * @param bitmap one block, overwritten
     * @return whether the group holds anything but its own metadata, so that its bitmap can't be derived
     */
    boolean fill(int group, byte[] bitmap) {
        Arrays.fill(bitmap, (byte) 0);
        Bitmap.set(bitmap, 0, Math.min(layout.baseMetadataBlocks(group), layout.blocksIn(group)));
        layout.padBlockBitmap(group, bitmap);
        boolean foreign = false;
        int first = group / flexSize * flexSize;
        int end = Math.min(first + flexSize, sb.groupCount());
        for (int other = first; other < end; other++) {
            boolean here = mark(group, placement.blockBitmap(other), 1, bitmap)
                    | mark(group, placement.inodeBitmap(other), 1, bitmap)
                    | mark(group, placement.inodeTable(other), sb.inodeTableBlocks(), bitmap);
            foreign |= here && other != group;
        }
        for (Run run : given) {
            foreign |= mark(group, run.start(), run.count(), bitmap);
        }
        return foreign;
    }

    private boolean mark(int group, long start, long count, byte[] bitmap) {
        long first = layout.firstBlock(group);
        long from = Math.max(start, first);
        long to = Math.min(start + count, first + layout.blocksIn(group));
        if (from >= to) {
            return false;
        }
        Bitmap.set(bitmap, (int) (from - first), (int) (to - from));
        return true;
    }

    /**
     * Takes blocks for a file, in one piece if there is a place for it not far behind {@code goal}, else in the order
     * they lie, from group {@code goal} around to it.
     */
    List<Run> allocate(int goal, long count) {
        List<Run> runs = inOnePiece(goal, count);
        if (runs == null) {
            runs = inPieces(goal, count);
        }
        given.addAll(runs);
        return runs;
    }

    private List<Run> inOnePiece(int goal, long count) {
        byte[] bitmap = new byte[sb.blockSize()];
        int end = (int) Math.min(sb.groupCount(), goal + PATIENCE + 2 * (count / sb.blocksPerGroup()));
        long start = 0;
        long length = 0;
        for (int group = goal; group < end; group++) {
            fill(group, bitmap);
            int bits = layout.blocksIn(group);
            for (int at = Bitmap.nextClear(bitmap, 0, bits); at < bits; ) {
                int stop = Bitmap.nextSet(bitmap, at, bits);
                long here = layout.firstBlock(group) + at;
                if (start + length != here) {
                    start = here;
                    length = 0;
                }
                length += stop - at;
                if (length >= count) {
                    return List.of(new Run(start, count));
                }
                at = Bitmap.nextClear(bitmap, stop, bits);
            }
        }
        return null;
    }

    private List<Run> inPieces(int goal, long count) {
        byte[] bitmap = new byte[sb.blockSize()];
        List<Run> runs = new ArrayList<>();
        long left = count;
        for (int i = 0; i < sb.groupCount() && left > 0; i++) {
            int group = (goal + i) % sb.groupCount();
            fill(group, bitmap);
            int bits = layout.blocksIn(group);
            for (int at = Bitmap.nextClear(bitmap, 0, bits); at < bits && left > 0; ) {
                int stop = Bitmap.nextSet(bitmap, at, bits);
                long take = Math.min(left, stop - at);
                add(runs, layout.firstBlock(group) + at, take);
                left -= take;
                at = Bitmap.nextClear(bitmap, stop, bits);
            }
        }
        if (left > 0) {
            throw new MkfsException("the device is too small: " + left + " blocks of metadata find no room");
        }
        return runs;
    }

    private static void add(List<Run> runs, long start, long count) {
        if (!runs.isEmpty() && runs.getLast().end() == start) {
            Run last = runs.removeLast();
            runs.add(new Run(last.start(), last.count() + count));
        } else {
            runs.add(new Run(start, count));
        }
    }
}
