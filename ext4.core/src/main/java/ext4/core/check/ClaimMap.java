// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.group.Bitmap;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;

/** A bit for each block of the filesystem; a group's bits take memory when the first of them is set. */
final class ClaimMap {
    private final Superblock sb;
    private final GroupLayout layout;
    private final byte[][] groups;

    ClaimMap(Fs fs) {
        sb = fs.sb;
        layout = fs.layout;
        groups = new byte[sb.groupCount()][];
    }

    boolean test(long pblk) {
        if (pblk < sb.firstDataBlock()) {
            return true;
        }
        byte[] bits = groups[layout.groupOfBlock(pblk)];
        return bits != null && Bitmap.test(bits, layout.indexOfBlock(pblk));
    }

    /** Sets the bits of a run within the filesystem; how many of them were set before. */
    long claim(long pblk, long count) {
        long before = 0;
        long at = Math.max(pblk, sb.firstDataBlock());
        long end = pblk + count;
        while (at < end) {
            int group = layout.groupOfBlock(at);
            int from = layout.indexOfBlock(at);
            int bits = (int) Math.min(end - at, sb.blocksPerGroup() - from);
            if (groups[group] == null) {
                groups[group] = new byte[(sb.blocksPerGroup() + 63 >>> 6) << 3];
            }
            before += bits - Bitmap.countClear(groups[group], from, from + bits);
            Bitmap.set(groups[group], from, bits);
            at += bits;
        }
        return before;
    }

    /** The first block of a run that is set, or -1. */
    long firstSet(long pblk, long count) {
        for (long at = pblk; at < pblk + count; at++) {
            if (test(at)) {
                return at;
            }
        }
        return -1;
    }

    /** Bits of a group (whole words), or null if none is set. */
    byte[] group(int group) {
        return groups[group];
    }
}
