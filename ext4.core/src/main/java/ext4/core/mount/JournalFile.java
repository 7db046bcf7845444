// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.core.alloc.Run;
import ext4.core.volume.Evidence;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.inode.BlockMap;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the journal inode's blocks lie. Read straight from the device and without the descriptors' checksums, since before
 * the log is replayed descriptors and bitmaps may be in any state; the inode and its map were written when the filesystem
 * was made and never change.
 */
final class JournalFile {
    private final BlockDevice device;
    private final Superblock sb;
    private final int ino;
    private int length;
    private long[] starts = new long[16];
    /** Logical block behind each run. */
    private long[] ends = new long[16];

    private int runs;

    private JournalFile(BlockDevice device, Superblock sb) {
        this.device = device;
        this.sb = sb;
        ino = sb.journalIno();
    }

    /**
     * Reads it.
     *
     * @throws CorruptException unless it is a regular file without holes
     */
    static JournalFile read(BlockDevice device, Superblock sb) {
        if (sb.journalIno() == 0) {
            throw new UnsupportedFeatureException(device.name(), List.of("external journal"));
        }
        JournalFile file = new JournalFile(device, sb);
        file.readInode();
        return file;
    }

    /** Blocks. */
    int length() {
        return length;
    }

    /** Its blocks. */
    List<Run> runs() {
        List<Run> found = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            found.add(new Run(starts[i], (int) (ends[i] - (i == 0 ? 0 : ends[i - 1]))));
        }
        return found;
    }

    /** Physical block of block {@code lblk}. */
    long block(int lblk) {
        int i = Arrays.binarySearch(ends, 0, runs, lblk + 1L);
        int run = i >= 0 ? i : -i - 1;
        if (lblk < 0 || lblk >= length || run >= runs) {
            throw corrupt("block " + lblk, "past its end", "below " + length);
        }
        long first = run == 0 ? 0 : ends[run - 1];
        return starts[run] + (lblk - first);
    }

    private void readInode() {
        GroupLayout layout = new GroupLayout(sb);
        if (Integer.compareUnsigned(ino, sb.inodesCount()) > 0) {
            throw corrupt("s_journal_inum", Integer.toUnsignedString(ino), "an inode");
        }
        int group = layout.groupOfInode(ino);
        byte[] desc = readBlock(layout.descBlockOf(group));
        long table = GroupDesc.inodeTable(desc, layout.descOffsetOf(group), sb.descSize());
        long pblk = layout.inodeBlock(ino, table);
        byte[] b = readBlock(pblk);
        int off = layout.inodeOffset(ino);
        Evidence.check(() -> InodeRecord.check(sb, ino, b, off, pblk));
        if (!FileMode.isRegular(InodeRecord.mode(b, off)) || InodeRecord.links(b, off) == 0) {
            throw corrupt("i_mode", Integer.toOctalString(InodeRecord.mode(b, off)), "a regular file with a link");
        }
        long blocks = InodeRecord.size(b, off) >>> sb.blockBits();
        long most = Math.min(Integer.MAX_VALUE, sb.blocksCount());
        if (blocks > most) {
            throw corrupt("i_size", blocks + " blocks", "at most " + most + " blocks");
        }
        length = (int) blocks;
        byte[] iBlock =
                Arrays.copyOfRange(b, InodeRecord.iBlock(off), InodeRecord.iBlock(off) + InodeRecord.I_BLOCK_BYTES);
        if (InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.EXTENTS)) {
            Evidence.check(() -> ExtentCheck.root(sb, ino, iBlock, 0, pblk));
            readExtents(iBlock, InodeChecksum.seed(sb, ino, InodeRecord.generation(b, off)), ExtentCheck.END);
        } else {
            readPointers(iBlock);
        }
        if (end() < length) {
            throw corrupt("block " + end(), "a hole", "allocated");
        }
    }

    private void readExtents(byte[] node, int seed, long end) {
        int entries = ExtentNode.entries(node, 0);
        int depth = ExtentNode.depth(node, 0);
        for (int i = 0; i < entries; i++) {
            long lblk = Integer.toUnsignedLong(ExtentNode.lblk(node, 0, i));
            if (depth == 0) {
                add(lblk, ExtentNode.start(node, 0, i), ExtentNode.length(node, 0, i));
                continue;
            }
            long next = i + 1 < entries ? Integer.toUnsignedLong(ExtentNode.lblk(node, 0, i + 1)) : end;
            long pblk = ExtentNode.child(node, 0, i);
            byte[] child = readBlock(pblk);
            Evidence.check(() -> ExtentCheck.block(sb, ino, seed, child, 0, pblk, depth - 1, lblk, next));
            readExtents(child, seed, next);
        }
    }

    /** The old map of an upgraded ext3 filesystem: block by block, keeping the last block of pointers of each level. */
    private void readPointers(byte[] iBlock) {
        long[] loaded = new long[4];
        byte[][] pointers = new byte[4][];
        for (int lblk = 0; lblk < length; lblk++) {
            int levels = BlockMap.levels(lblk, sb.blockBits());
            if (levels < 0) {
                throw corrupt("i_size", length + " blocks", "what a block map can hold");
            }
            long pblk = BlockMap.pointer(iBlock, BlockMap.slot(lblk, sb.blockBits(), 0));
            for (int level = 1; level <= levels; level++) {
                if (loaded[level] != pblk || pointers[level] == null) {
                    pointers[level] = readBlock(pblk);
                    loaded[level] = pblk;
                }
                pblk = BlockMap.pointer(pointers[level], BlockMap.slot(lblk, sb.blockBits(), level));
            }
            add(lblk, pblk, 1);
        }
    }

    private void add(long lblk, long pblk, int count) {
        if (lblk >= length) {
            return;
        }
        if (lblk != end()) {
            throw corrupt("block " + end(), "a hole", "allocated");
        }
        if (pblk <= sb.block() || pblk > sb.blocksCount() - count) {
            throw corrupt("block " + lblk, "at " + pblk, "within the filesystem");
        }
        long before = runs < 2 ? 0 : ends[runs - 2];
        if (runs > 0 && starts[runs - 1] + (ends[runs - 1] - before) == pblk) {
            ends[runs - 1] += count;
            return;
        }
        if (runs == starts.length) {
            starts = Arrays.copyOf(starts, runs * 2);
            ends = Arrays.copyOf(ends, runs * 2);
        }
        starts[runs] = pblk;
        ends[runs] = lblk + count;
        runs++;
    }

    private long end() {
        return runs == 0 ? 0 : ends[runs - 1];
    }

    private byte[] readBlock(long pblk) {
        if (pblk < sb.block() || pblk >= sb.blocksCount()) {
            throw corrupt("block pointer", Long.toString(pblk), "below " + sb.blocksCount());
        }
        byte[] b = new byte[sb.blockSize()];
        device.read(pblk << sb.blockBits(), ByteBuffer.wrap(b));
        return b;
    }

    private CorruptException corrupt(String field, String found, String expected) {
        return new CorruptException("journal, inode " + Integer.toUnsignedString(ino), -1, field, found, expected);
    }
}
