// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;

/**
 * The map of blocks of an inode without extents, for reading: 15 words in i_block, 12 direct, then one each single,
 * double and triple indirect. A block of pointers holds {@code blockSize / 4} words; a word 0 is a hole. To find a block:
 * {@code levels = levels(lblk, bits)}, take the pointer at {@code slot(lblk, bits, 0)} of i_block, and for level 1 to
 * levels read that block and take the pointer at {@code slot(lblk, bits, level)}.
 */
public final class BlockMap {
    private static final int DIRECT = 12;
    private static final int MAX_LEVELS = 3;

    private BlockMap() {}

    /** Blocks of pointers between i_block and that block of the file, 0 to 3; -1 if the map doesn't reach it. */
    public static int levels(int lblk, int blockBits) {
        long rest = Integer.toUnsignedLong(lblk) - DIRECT;
        int levels = 0;
        for (long reach = 1L << blockBits - 2; rest >= 0; rest -= reach, reach <<= blockBits - 2) {
            levels++;
            if (levels <= MAX_LEVELS && rest < reach) {
                return levels;
            }
            if (levels > MAX_LEVELS) {
                return -1;
            }
        }
        return levels;
    }

    /** Index of the pointer to follow: level 0 in i_block, level n in the n-th block of pointers. */
    public static int slot(int lblk, int blockBits, int level) {
        int levels = levels(lblk, blockBits);
        if (level == 0) {
            return levels == 0 ? lblk : DIRECT + levels - 1;
        }
        int bits = blockBits - 2;
        long rest = Integer.toUnsignedLong(lblk) - DIRECT;
        for (int i = 1; i < levels; i++) {
            rest -= 1L << bits * i;
        }
        return (int) (rest >>> bits * (levels - level)) & (1 << bits) - 1;
    }

    /** Blocks of the file that a pointer of that level (0 in i_block) leads to. */
    public static long reach(int lblk, int blockBits, int level) {
        return 1L << (blockBits - 2) * (levels(lblk, blockBits) - level);
    }

    /** How many of those lie before {@code lblk}. */
    public static long before(int lblk, int blockBits, int level) {
        int levels = levels(lblk, blockBits);
        long rest = Integer.toUnsignedLong(lblk) - (levels == 0 ? 0 : DIRECT);
        for (int i = 1; i < levels; i++) {
            rest -= 1L << (blockBits - 2) * i;
        }
        return rest & reach(lblk, blockBits, level) - 1;
    }

    /** Pointer {@code slot} of i_block of the record at {@code off}: a block, or 0 for a hole. */
    public static long root(byte[] b, int off, int slot) {
        return Le.u32(b, off + InodeRecord.I_BLOCK + 4 * slot);
    }

    /** Stores a pointer in i_block of the record at {@code off} (mkfs: the resize inode). */
    public static void setRoot(byte[] b, int off, int slot, long pblk) {
        Le.put32(b, off + InodeRecord.I_BLOCK + 4 * slot, pblk);
    }

    /** Pointer {@code slot} of a block of pointers: a block, or 0 for a hole. */
    public static long pointer(byte[] b, int slot) {
        return Le.u32(b, 4 * slot);
    }

    /** Stores a pointer in a block of pointers (mkfs: the resize inode). */
    public static void setPointer(byte[] b, int slot, long pblk) {
        Le.put32(b, 4 * slot, pblk);
    }
}
