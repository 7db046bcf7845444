// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.CorruptException;
import ext4.format.group.Bitmap;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The blocks that hold the filesystem's own fixed metadata: superblocks, descriptors, bitmaps, inode tables; and, once
 * they are known, those of the journal and of the orphan file, which are inodes' but nobody else's. No file may point at
 * one. Sorted runs, joined where they touch.
 */
public final class SystemZone {
    private final GroupLayout layout;
    private long[] starts;
    private long[] ends;
    private int runs;
    /** Written while the filesystem is put together, before other threads see it. */
    private List<Run> reserved = List.of();

    SystemZone(Superblock sb, GroupLayout layout, GroupTable groups) {
        this.layout = layout;
        int count = groups.count();
        long[] all = new long[count * 4];
        int used = 0;
        for (int g = 0; g < count; g++) {
            int base = Math.min(layout.baseMetadataBlocks(g), layout.blocksIn(g));
            if (base > 0) {
                all[used++] = pack(layout.firstBlock(g), base);
            }
            all[used++] = pack(groups.blockBitmap(g), 1);
            all[used++] = pack(groups.inodeBitmap(g), 1);
            all[used++] = pack(groups.inodeTable(g), sb.inodeTableBlocks());
        }
        Arrays.sort(all, 0, used);
        join(all, used);
    }

    /** A start below 2^47 and a length of 1 to 65536: a table has at most 65536 inodes, one a block at least. */
    private static long pack(long start, int length) {
        return start << 16 | length - 1;
    }

    private void join(long[] packed, int used) {
        starts = new long[used];
        ends = new long[used];
        for (int i = 0; i < used; i++) {
            long start = packed[i] >>> 16;
            long end = start + (packed[i] & 0xFFFF) + 1;
            if (runs > 0 && start < ends[runs - 1]) {
                throw overlap(start);
            }
            if (runs > 0 && start == ends[runs - 1]) {
                ends[runs - 1] = end;
            } else {
                starts[runs] = start;
                ends[runs++] = end;
            }
        }
        starts = Arrays.copyOf(starts, runs);
        ends = Arrays.copyOf(ends, runs);
    }

    private static CorruptException overlap(long pblk) {
        return new CorruptException("system zone", pblk, "owners", "more than one", "one for each block of metadata");
    }

    /** From now on no file may point at these blocks, but who has loaded the map of theirs already. */
    public void reserve(List<Run> blocks) {
        for (Run run : blocks) {
            if (overlapsFixed(run.pblk, run.count)) {
                throw overlap(run.pblk);
            }
        }
        reserved = Stream.concat(reserved.stream(), blocks.stream()).toList();
    }

    private boolean overlapsReserved(long pblk, long count) {
        for (Run run : reserved) {
            if (pblk < run.pblk + run.count && run.pblk < pblk + count) {
                return true;
            }
        }
        return false;
    }

    /** Whether any of the blocks is metadata. */
    public boolean overlaps(long pblk, long count) {
        return overlapsFixed(pblk, count) || overlapsReserved(pblk, count);
    }

    private boolean overlapsFixed(long pblk, long count) {
        int i = Arrays.binarySearch(starts, pblk);
        int at = i >= 0 ? i : -i - 2;
        if (at >= 0 && pblk < ends[at]) {
            return true;
        }
        return at + 1 < runs && starts[at + 1] < pblk + count;
    }

    /** Metadata blocks in all. */
    public long blocks() {
        long sum = 0;
        for (int i = 0; i < runs; i++) {
            sum += ends[i] - starts[i];
        }
        return sum;
    }

    /** The first metadata block of a group that its bitmap calls free, -1 if there is none. */
    long firstFree(int group, byte[] bitmap) {
        long first = layout.firstBlock(group);
        long end = first + layout.blocksIn(group);
        int i = Arrays.binarySearch(starts, first);
        for (int at = i >= 0 ? i : Math.max(0, -i - 2); at < runs && starts[at] < end; at++) {
            long from = Math.max(starts[at], first);
            long to = Math.min(ends[at], end);
            if (from < to) {
                int clear = Bitmap.nextClear(bitmap, (int) (from - first), (int) (to - first));
                if (clear < to - first) {
                    return first + clear;
                }
            }
        }
        return firstFreeReserved(first, end, bitmap);
    }

    private long firstFreeReserved(long first, long end, byte[] bitmap) {
        for (Run run : reserved) {
            long from = Math.max(run.pblk, first);
            long to = Math.min(run.pblk + run.count, end);
            if (from < to) {
                int clear = Bitmap.nextClear(bitmap, (int) (from - first), (int) (to - first));
                if (clear < to - first) {
                    return first + clear;
                }
            }
        }
        return -1;
    }
}
