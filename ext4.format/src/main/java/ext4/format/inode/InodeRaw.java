// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;
import ext4.format.superblock.Superblock;

/** Fields of an inode record as they stand, for a checker: nothing is clamped and no feature or flag is considered. */
public final class InodeRaw {
    /** Words of i_block. */
    public static final int WORDS = InodeRecord.I_BLOCK_BYTES / 4;

    private static final int FADDR = 0x70;

    private InodeRaw() {}

    /** i_extra_isize; 0 in a record of 128 bytes. */
    public static int extraIsize(byte[] b, int off, int inodeSize) {
        return inodeSize <= InodeRecord.BASE_SIZE ? 0 : Le.u16(b, off + InodeRecord.EXTRA_ISIZE);
    }

    /** The high word of i_size, whatever the type of the inode. */
    public static long sizeHigh(byte[] b, int off) {
        return Le.u32(b, off + InodeRecord.SIZE_HI);
    }

    /** i_size with its high word, whatever the type of the inode; a bit pattern, so it may be negative. */
    public static long size(byte[] b, int off) {
        return Le.u32(b, off + InodeRecord.SIZE_LO) | sizeHigh(b, off) << 32;
    }

    /** The low word of i_blocks, in the record's own unit. */
    public static long blocksLow(byte[] b, int off) {
        return Le.u32(b, off + InodeRecord.BLOCKS_LO);
    }

    /** The high 16 bits of i_blocks. */
    public static int blocksHigh(byte[] b, int off) {
        return Le.u16(b, off + InodeRecord.BLOCKS_HI);
    }

    /** The high 16 bits of i_file_acl. */
    public static int fileAclHigh(byte[] b, int off) {
        return Le.u16(b, off + InodeRecord.FILE_ACL_HI);
    }

    /** The obsolete i_faddr. */
    public static long faddr(byte[] b, int off) {
        return Le.u32(b, off + FADDR);
    }

    /** Word {@code i} (0 to {@link #WORDS} - 1) of i_block. */
    public static long word(byte[] b, int off, int i) {
        return Le.u32(b, off + InodeRecord.I_BLOCK + 4 * i);
    }

    /** Whether the record is all zero. */
    public static boolean isZero(Superblock sb, byte[] b, int off) {
        for (int i = off; i < off + sb.inodeSize(); i += 8) {
            if (Le.u64(b, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
