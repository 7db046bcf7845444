// SPDX-License-Identifier: Apache-2.0
package ext4.format.group;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.checksum.Crc16;
import ext4.format.checksum.Crc32c;
import ext4.format.superblock.Superblock;

/**
 * One group descriptor: {@code descSize} bytes ({@link Superblock#descSize}) from byte {@code off}. Descriptors of 32
 * bytes have no high parts: those read as zero and are not written. The caller holds the group's lock.
 */
public final class GroupDesc {
    /** Flag: no inode of the group was ever used, its inode bitmap is not initialised. */
    public static final int INODE_UNINIT = 1;
    /** Flag: the block bitmap is not initialised. */
    public static final int BLOCK_UNINIT = 2;
    /** Flag: the inode table is zeroed. */
    public static final int INODE_ZEROED = 4;

    private static final int WIDE = 64;

    private static final int BLOCK_BITMAP_LO = 0x00;
    private static final int INODE_BITMAP_LO = 0x04;
    private static final int INODE_TABLE_LO = 0x08;
    private static final int FREE_BLOCKS_LO = 0x0C;
    private static final int FREE_INODES_LO = 0x0E;
    private static final int USED_DIRS_LO = 0x10;
    private static final int FLAGS = 0x12;
    private static final int BLOCK_BITMAP_CSUM_LO = 0x18;
    private static final int INODE_BITMAP_CSUM_LO = 0x1A;
    private static final int ITABLE_UNUSED_LO = 0x1C;
    private static final int CHECKSUM = 0x1E;
    private static final int BLOCK_BITMAP_HI = 0x20;
    private static final int INODE_BITMAP_HI = 0x24;
    private static final int INODE_TABLE_HI = 0x28;
    private static final int FREE_BLOCKS_HI = 0x2C;
    private static final int FREE_INODES_HI = 0x2E;
    private static final int USED_DIRS_HI = 0x30;
    private static final int ITABLE_UNUSED_HI = 0x32;
    private static final int BLOCK_BITMAP_CSUM_HI = 0x38;
    private static final int INODE_BITMAP_CSUM_HI = 0x3A;

    private GroupDesc() {}

    /** Block of the block bitmap. */
    public static long blockBitmap(byte[] b, int off, int descSize) {
        return block(b, off, descSize, BLOCK_BITMAP_LO, BLOCK_BITMAP_HI);
    }

    public static void setBlockBitmap(byte[] b, int off, int descSize, long pblk) {
        putBlock(b, off, descSize, BLOCK_BITMAP_LO, BLOCK_BITMAP_HI, pblk);
    }

    /** Block of the inode bitmap. */
    public static long inodeBitmap(byte[] b, int off, int descSize) {
        return block(b, off, descSize, INODE_BITMAP_LO, INODE_BITMAP_HI);
    }

    public static void setInodeBitmap(byte[] b, int off, int descSize, long pblk) {
        putBlock(b, off, descSize, INODE_BITMAP_LO, INODE_BITMAP_HI, pblk);
    }

    /** First block of the inode table. */
    public static long inodeTable(byte[] b, int off, int descSize) {
        return block(b, off, descSize, INODE_TABLE_LO, INODE_TABLE_HI);
    }

    public static void setInodeTable(byte[] b, int off, int descSize, long pblk) {
        putBlock(b, off, descSize, INODE_TABLE_LO, INODE_TABLE_HI, pblk);
    }

    /** Free blocks (clusters, with bigalloc). */
    public static int freeBlocks(byte[] b, int off, int descSize) {
        return count(b, off, descSize, FREE_BLOCKS_LO, FREE_BLOCKS_HI);
    }

    public static void setFreeBlocks(byte[] b, int off, int descSize, int blocks) {
        putCount(b, off, descSize, FREE_BLOCKS_LO, FREE_BLOCKS_HI, blocks);
    }

    public static int freeInodes(byte[] b, int off, int descSize) {
        return count(b, off, descSize, FREE_INODES_LO, FREE_INODES_HI);
    }

    public static void setFreeInodes(byte[] b, int off, int descSize, int inodes) {
        putCount(b, off, descSize, FREE_INODES_LO, FREE_INODES_HI, inodes);
    }

    /** Directories among the group's inodes. */
    public static int usedDirs(byte[] b, int off, int descSize) {
        return count(b, off, descSize, USED_DIRS_LO, USED_DIRS_HI);
    }

    public static void setUsedDirs(byte[] b, int off, int descSize, int directories) {
        putCount(b, off, descSize, USED_DIRS_LO, USED_DIRS_HI, directories);
    }

    /** Inodes at the end of the table that were never used; meaningful with {@link Superblock#groupFlagsValid}. */
    public static int itableUnused(byte[] b, int off, int descSize) {
        return count(b, off, descSize, ITABLE_UNUSED_LO, ITABLE_UNUSED_HI);
    }

    public static void setItableUnused(byte[] b, int off, int descSize, int inodes) {
        putCount(b, off, descSize, ITABLE_UNUSED_LO, ITABLE_UNUSED_HI, inodes);
    }

    /** Flag bits; meaningful with {@link Superblock#groupFlagsValid} only, see {@link #hasFlag}. */
    public static int flags(byte[] b, int off) {
        return Le.u16(b, off + FLAGS);
    }

    public static void setFlags(byte[] b, int off, int flags) {
        Le.put16(b, off + FLAGS, flags);
    }

    /** Whether a flag is set and flags mean something on this filesystem. */
    public static boolean hasFlag(Superblock sb, byte[] b, int off, int flag) {
        return sb.groupFlagsValid() && (flags(b, off) & flag) != 0;
    }

    /** Sum of the block bitmap; only its low 16 bits in a descriptor of 32 bytes. */
    public static int blockBitmapChecksum(byte[] b, int off, int descSize) {
        return count(b, off, descSize, BLOCK_BITMAP_CSUM_LO, BLOCK_BITMAP_CSUM_HI);
    }

    public static void setBlockBitmapChecksum(byte[] b, int off, int descSize, int sum) {
        putCount(b, off, descSize, BLOCK_BITMAP_CSUM_LO, BLOCK_BITMAP_CSUM_HI, sum);
    }

    /** Sum of the inode bitmap; only its low 16 bits in a descriptor of 32 bytes. */
    public static int inodeBitmapChecksum(byte[] b, int off, int descSize) {
        return count(b, off, descSize, INODE_BITMAP_CSUM_LO, INODE_BITMAP_CSUM_HI);
    }

    public static void setInodeBitmapChecksum(byte[] b, int off, int descSize, int sum) {
        putCount(b, off, descSize, INODE_BITMAP_CSUM_LO, INODE_BITMAP_CSUM_HI, sum);
    }

    /** The checksum stored in the descriptor. */
    public static int storedChecksum(byte[] b, int off) {
        return Le.u16(b, off + CHECKSUM);
    }

    /** What the descriptor's checksum must be: crc32c, crc16 or, on a filesystem without, 0. */
    public static int checksum(Superblock sb, int group, byte[] b, int off) {
        int rest = sb.descSize() - CHECKSUM - 2;
        if (sb.metadataCsum()) {
            int sum = Crc32c.rawLe32(sb.csumSeed(), group);
            sum = Crc32c.rawZeros(Crc32c.raw(sum, b, off, CHECKSUM), 2);
            return Crc32c.raw(sum, b, off + CHECKSUM + 2, rest) & 0xFFFF;
        }
        if (sb.gdtCsum()) {
            int sum = Crc16.raw(Crc16.rawLe32(sb.uuidCrc16(), group), b, off, CHECKSUM);
            return Crc16.raw(sum, b, off + CHECKSUM + 2, rest);
        }
        return 0;
    }

    /** Stores the descriptor's checksum, if the filesystem has any. */
    public static void seal(Superblock sb, int group, byte[] b, int off) {
        if (sb.groupFlagsValid()) {
            Le.put16(b, off + CHECKSUM, checksum(sb, group, b, off));
        }
    }

    /** Whether the descriptor's checksum holds; true on a filesystem without. */
    public static boolean verify(Superblock sb, int group, byte[] b, int off) {
        return !sb.groupFlagsValid() || storedChecksum(b, off) == checksum(sb, group, b, off);
    }

    /**
     * Checks checksum and places of a descriptor. Its counters may say anything: they are judged beside their bitmap.
     *
     * @param pblk the block it was read from, for the evidence
     */
    public static void check(Superblock sb, int group, byte[] b, int off, long pblk) throws FormatException {
        if (!verify(sb, group, b, off)) {
            throw new FormatException(
                    structure(group), pblk, "bg_checksum", storedChecksum(b, off), "" + checksum(sb, group, b, off));
        }
        checkPlaces(sb, group, b, off, pblk);
    }

    /** As {@link #check}, but for the checksum. */
    public static void checkPlaces(Superblock sb, int group, byte[] b, int off, long pblk) throws FormatException {
        int size = sb.descSize();
        inside(sb, structure(group), pblk, "bg_block_bitmap", blockBitmap(b, off, size), 1);
        inside(sb, structure(group), pblk, "bg_inode_bitmap", inodeBitmap(b, off, size), 1);
        inside(sb, structure(group), pblk, "bg_inode_table", inodeTable(b, off, size), sb.inodeTableBlocks());
    }

    private static String structure(int group) {
        return "descriptor of group " + Integer.toUnsignedString(group);
    }

    private static void inside(Superblock sb, String structure, long block, String field, long start, int blocks)
            throws FormatException {
        if (start <= sb.block() || start > sb.blocksCount() - blocks) {
            throw new FormatException(
                    structure, block, field, start, "from " + (sb.block() + 1) + " to " + (sb.blocksCount() - blocks));
        }
    }

    private static long block(byte[] b, int off, int descSize, int low, int high) {
        long value = Le.u32(b, off + low);
        return descSize >= WIDE ? value | Le.u32(b, off + high) << 32 : value;
    }

    private static void putBlock(byte[] b, int off, int descSize, int low, int high, long pblk) {
        Le.put32(b, off + low, pblk);
        if (descSize >= WIDE) {
            Le.put32(b, off + high, pblk >>> 32);
        }
    }

    private static int count(byte[] b, int off, int descSize, int low, int high) {
        int value = Le.u16(b, off + low);
        return descSize >= WIDE ? value | Le.u16(b, off + high) << 16 : value;
    }

    private static void putCount(byte[] b, int off, int descSize, int low, int high, int value) {
        Le.put16(b, off + low, value);
        if (descSize >= WIDE) {
            Le.put16(b, off + high, value >>> 16);
        }
    }
}
