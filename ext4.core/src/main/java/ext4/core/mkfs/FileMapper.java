// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.extent.ExtentNode;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/** Maps a new file without holes: extents, or block pointers on a filesystem without extents. */
final class FileMapper {
    private static final int DIRECT = 12;
    private static final int INDIRECT_LEVELS = 3;

    private final Superblock sb;
    private final Space space;
    private final Output out;

    FileMapper(Superblock sb, Space space, Output out) {
        this.sb = sb;
        this.space = space;
        this.out = out;
    }

    /**
     * Writes i_block, flags and space of a record.
     *
     * @param runs the file's blocks in order
     * @param seed of the inode's checksums
     */
    void map(byte[] record, List<Run> runs, int seed) {
        long data = runs.stream().mapToLong(Run::count).sum();
        long index = sb.has(Feature.EXTENTS) ? extents(record, runs, seed) : pointers(record, runs, data);
        if (!InodeRecord.setSectors(sb, record, 0, data + index << sb.blockBits() - 9)) {
            throw new MkfsException("a file of " + data + " blocks needs feature huge_file");
        }
    }

    private long extents(byte[] record, List<Run> runs, int seed) {
        InodeRecord.setFlags(record, 0, InodeRecord.flags(record, 0) | InodeFlags.EXTENTS);
        int root = InodeRecord.iBlock(0);
        ExtentNode.initRoot(record, root);
        List<Run> pieces = pieces(runs);
        if (pieces.size() <= ExtentNode.ROOT_MAX) {
            fill(record, root, pieces, 0);
            return 0;
        }
        int perLeaf = ExtentNode.blockMax(sb.blockSize());
        int leaves = (pieces.size() + perLeaf - 1) / perLeaf;
        if (leaves > ExtentNode.ROOT_MAX) {
            throw new MkfsException("free space is too fragmented by metadata: use a higher inode ratio");
        }
        ExtentNode.setDepth(record, root, 1);
        Iterator<Long> blocks = blocks(space.allocate(group(runs), leaves)).iterator();
        int lblk = 0;
        for (int leaf = 0; leaf < leaves; leaf++) {
            long pblk = blocks.next();
            byte[] node = new byte[sb.blockSize()];
            ExtentNode.initBlock(node, 0, sb.blockSize(), 0);
            ExtentNode.insertIndex(record, root, leaf, lblk, pblk);
            int to = Math.min((leaf + 1) * perLeaf, pieces.size());
            lblk = fill(node, 0, pieces.subList(leaf * perLeaf, to), lblk);
            ExtentNode.seal(sb, seed, node, 0);
            out.block(pblk, node);
        }
        return leaves;
    }

    private static int fill(byte[] node, int off, List<Run> pieces, int firstLblk) {
        int lblk = firstLblk;
        for (Run piece : pieces) {
            int length = (int) piece.count();
            ExtentNode.insertExtent(node, off, ExtentNode.entries(node, off), lblk, length, false, piece.start());
            lblk += length;
        }
        return lblk;
    }

    private static List<Run> pieces(List<Run> runs) {
        List<Run> pieces = new ArrayList<>();
        for (Run run : runs) {
            for (long done = 0; done < run.count(); done += ExtentNode.MAX_LENGTH) {
                pieces.add(new Run(run.start() + done, Math.min(ExtentNode.MAX_LENGTH, run.count() - done)));
            }
        }
        return pieces;
    }

    private long pointers(byte[] record, List<Run> runs, long count) {
        Iterator<Long> data = blocks(runs).iterator();
        long indirect = indirectBlocks(count);
        Iterator<Long> index = indirect == 0
                ? List.<Long>of().iterator()
                : blocks(space.allocate(group(runs), indirect)).iterator();
        for (int slot = 0; slot < DIRECT && data.hasNext(); slot++) {
            BlockMap.setRoot(record, 0, slot, data.next());
        }
        for (int level = 1; level <= INDIRECT_LEVELS && data.hasNext(); level++) {
            BlockMap.setRoot(record, 0, DIRECT + level - 1, tree(level, data, index));
        }
        return indirect;
    }

    private long tree(int level, Iterator<Long> data, Iterator<Long> index) {
        long pblk = index.next();
        byte[] block = new byte[sb.blockSize()];
        for (int slot = 0; slot < sb.blockSize() / 4 && data.hasNext(); slot++) {
            BlockMap.setPointer(block, slot, level == 1 ? data.next() : tree(level - 1, data, index));
        }
        out.block(pblk, block);
        return pblk;
    }

    /** How many blocks of pointers a file of {@code count} blocks has. */
    private long indirectBlocks(long count) {
        long perBlock = sb.blockSize() / 4;
        long sum = 0;
        long left = count - DIRECT;
        long reach = perBlock;
        for (int level = 1; left > 0; level++, reach *= perBlock) {
            if (level > INDIRECT_LEVELS) {
                throw new MkfsException("a file of " + count + " blocks needs feature extent");
            }
            long here = Math.min(left, reach);
            long nodes = here;
            for (int i = 0; i < level; i++) {
                nodes = (nodes + perBlock - 1) / perBlock;
                sum += nodes;
            }
            left -= here;
        }
        return sum;
    }

    private int group(List<Run> runs) {
        return (int) ((runs.getFirst().start() - sb.firstDataBlock()) / sb.blocksPerGroup());
    }

    /** Every block of the runs, in order. */
    static Iterable<Long> blocks(List<Run> runs) {
        return () -> runs.stream()
                .flatMap(run -> LongStream.range(run.start(), run.end()).boxed())
                .iterator();
    }
}
