// SPDX-License-Identifier: Apache-2.0
package ext4.format.group;

import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/**
 * Where things lie: which group a block or inode is in, which groups carry copies of the superblock and descriptors, in
 * which block a descriptor stands. Immutable, made once a mount; any thread.
 */
public final class GroupLayout {
    private final Superblock sb;
    private final boolean metaBg;
    private final boolean sparse;
    private final boolean sparse2;
    private final int descsPerBlock;
    /** Descriptor blocks that stand together after the superblock; later ones are in their metagroup. */
    private final int frontDescBlocks;

    public GroupLayout(Superblock sb) {
        this.sb = sb;
        metaBg = sb.has(Feature.META_BG);
        sparse = sb.has(Feature.SPARSE_SUPER);
        sparse2 = sb.has(Feature.SPARSE_SUPER2);
        descsPerBlock = sb.descsPerBlock();
        frontDescBlocks = metaBg ? sb.firstMetaBg() : sb.descBlocks();
    }

    /** Group of a block; the block must not lie before the first data block. */
    public int groupOfBlock(long pblk) {
        return (int) ((pblk - sb.firstDataBlock()) / sb.blocksPerGroup());
    }

    /** Bit of a block in its group's bitmap. */
    public int indexOfBlock(long pblk) {
        return (int) ((pblk - sb.firstDataBlock()) % sb.blocksPerGroup());
    }

    /** Whether a run of blocks lies in the filesystem, behind the primary superblock's block. */
    public boolean contains(long pblk, long blocks) {
        return pblk > sb.block() && blocks >= 0 && blocks <= sb.blocksCount() && pblk <= sb.blocksCount() - blocks;
    }

    /** Group of an inode (1 to s_inodes_count, unsigned). */
    public int groupOfInode(int ino) {
        return Integer.divideUnsigned(ino - 1, sb.inodesPerGroup());
    }

    /** Bit of an inode in its group's bitmap, and its index in the group's table. */
    public int indexOfInode(int ino) {
        return Integer.remainderUnsigned(ino - 1, sb.inodesPerGroup());
    }

    /** The inode of that index in a group. */
    public int inode(int group, int index) {
        return group * sb.inodesPerGroup() + index + 1;
    }

    /** Block of the inode's record, given where its group's table begins. */
    public long inodeBlock(int ino, long inodeTable) {
        return inodeTable + indexOfInode(ino) / sb.inodesPerBlock();
    }

    /** Byte of the inode's record within its block. */
    public int inodeOffset(int ino) {
        return indexOfInode(ino) % sb.inodesPerBlock() * sb.inodeSize();
    }

    /** First block of a group. */
    public long firstBlock(int group) {
        return sb.firstDataBlock() + (long) group * sb.blocksPerGroup();
    }

    /** Blocks of a group; the last one may be short. */
    public int blocksIn(int group) {
        return (int) Math.min(sb.blocksPerGroup(), sb.blocksCount() - firstBlock(group));
    }

    /** Whether the group begins with a copy of the superblock (group 0: with the primary). */
    public boolean hasSuper(int group) {
        if (group == 0) {
            return true;
        }
        if (sparse2) {
            return group == sb.backupGroup(0) || group == sb.backupGroup(1);
        }
        return !sparse || group == 1 || isPowerOf(group, 3) || isPowerOf(group, 5) || isPowerOf(group, 7);
    }

    /** Block of the group's copy of the superblock; asks for a group that has one. */
    public long superBlock(int group) {
        return group == 0 ? sb.block() : firstBlock(group);
    }

    /**
     * Block of the primary copy of descriptor block {@code index} (0 to {@link Superblock#descBlocks} - 1): the
     * descriptors of the groups from {@code index * descsPerBlock}.
     */
    public long descBlock(int index) {
        if (index < frontDescBlocks) {
            return sb.block() + 1 + index;
        }
        int group = index * descsPerBlock;
        return firstBlock(group) + superBlocksAtFront(group);
    }

    /** Block that holds a group's descriptor. */
    public long descBlockOf(int group) {
        return descBlock(group / descsPerBlock);
    }

    /** Byte of a group's descriptor in its block. */
    public int descOffsetOf(int group) {
        return group % descsPerBlock * sb.descSize();
    }

    /**
     * Block of the copy of descriptor block {@code index} that stands in {@code group}, or -1 if that group has none.
     * For the group of the primary it answers the primary.
     */
    public long descBlockCopy(int index, int group) {
        if (index < frontDescBlocks) {
            if (!hasSuper(group)) {
                return -1;
            }
            return superBlock(group) + 1 + index;
        }
        if (group / descsPerBlock != index || !hasMetaDescBlock(group)) {
            return -1;
        }
        return firstBlock(group) + superBlocksAtFront(group);
    }

    /**
     * Blocks at the front of a group that hold the superblock (and what is before it), descriptors and their reserved
     * room; they are always in use.
     */
    public int baseMetadataBlocks(int group) {
        int blocks = superBlocksAtFront(group);
        if (!metaBg || group / descsPerBlock < frontDescBlocks) {
            return hasSuper(group) ? blocks + frontDescBlocks + sb.reservedGdtBlocks() : blocks;
        }
        return hasMetaDescBlock(group) ? blocks + 1 : blocks;
    }

    /**
     * The block bitmap of a group with BLOCK_UNINIT: its fixed blocks, its own bitmaps and table where they lie in it,
     * and the padding behind its last block are in use.
     *
     * @param desc array with the group's descriptor from {@code descOff}
     * @param bitmap one block, overwritten
     */
    public void synthesizeBlockBitmap(int group, byte[] desc, int descOff, byte[] bitmap) {
        int descSize = sb.descSize();
        Arrays.fill(bitmap, 0, sb.blockSize(), (byte) 0);
        Bitmap.set(bitmap, 0, Math.min(baseMetadataBlocks(group), blocksIn(group)));
        mark(group, GroupDesc.blockBitmap(desc, descOff, descSize), 1, bitmap);
        mark(group, GroupDesc.inodeBitmap(desc, descOff, descSize), 1, bitmap);
        mark(group, GroupDesc.inodeTable(desc, descOff, descSize), sb.inodeTableBlocks(), bitmap);
        padBlockBitmap(group, bitmap);
    }

    /** The inode bitmap of a group with INODE_UNINIT: nothing in use but the padding. */
    public void synthesizeInodeBitmap(byte[] bitmap) {
        Arrays.fill(bitmap, 0, sb.blockSize(), (byte) 0);
        Bitmap.set(bitmap, sb.inodesPerGroup(), 8 * sb.blockSize() - sb.inodesPerGroup());
    }

    /** Sets the bits of a block bitmap that stand for no block of the group. */
    public void padBlockBitmap(int group, byte[] bitmap) {
        int blocks = blocksIn(group);
        Bitmap.set(bitmap, blocks, 8 * sb.blockSize() - blocks);
    }

    private void mark(int group, long pblk, int blocks, byte[] bitmap) {
        long first = firstBlock(group);
        long from = Math.max(pblk, first);
        long to = Math.min(pblk + blocks, first + blocksIn(group));
        if (from < to) {
            Bitmap.set(bitmap, (int) (from - first), (int) (to - from));
        }
    }

    /**
     * Blocks up to and with the superblock at a group's front: none or one, but two where 1 KiB blocks are counted from
     * 0, since block 0 then is the boot block.
     */
    private int superBlocksAtFront(int group) {
        if (!hasSuper(group)) {
            return 0;
        }
        return group == 0 ? (int) (sb.block() - sb.firstDataBlock()) + 1 : 1;
    }

    /** Whether the group holds its metagroup's descriptor block: the first, second and last of it do. */
    private boolean hasMetaDescBlock(int group) {
        int inMeta = group % descsPerBlock;
        return inMeta == 0 || inMeta == 1 || inMeta == descsPerBlock - 1;
    }

    private static boolean isPowerOf(int group, int base) {
        long power = base;
        while (power < group) {
            power *= base;
        }
        return power == group;
    }
}
