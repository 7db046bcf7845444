// SPDX-License-Identifier: Apache-2.0
package ext4.format.group;

import ext4.format.checksum.Crc32c;
import ext4.format.superblock.Superblock;

/**
 * Sums of the two bitmaps, which stand in the group's descriptor (seal that after). Without metadata_csum sealing does
 * nothing and verifying is true; a bitmap whose UNINIT flag is set has no sum, and verifying it is true as well.
 */
public final class BitmapChecksum {
    private BitmapChecksum() {}

    /** Stores the block bitmap's sum in the descriptor at {@code desc[off]}. */
    public static void sealBlocks(Superblock sb, byte[] bitmap, byte[] desc, int off) {
        if (sb.metadataCsum()) {
            GroupDesc.setBlockBitmapChecksum(desc, off, sb.descSize(), blocks(sb, bitmap));
        }
    }

    /** Whether the block bitmap agrees with the descriptor at {@code desc[off]}. */
    public static boolean verifyBlocks(Superblock sb, byte[] bitmap, byte[] desc, int off) {
        return !sb.metadataCsum()
                || GroupDesc.hasFlag(sb, desc, off, GroupDesc.BLOCK_UNINIT)
                || same(sb, GroupDesc.blockBitmapChecksum(desc, off, sb.descSize()), blocks(sb, bitmap));
    }

    /** Stores the inode bitmap's sum in the descriptor at {@code desc[off]}. */
    public static void sealInodes(Superblock sb, byte[] bitmap, byte[] desc, int off) {
        if (sb.metadataCsum()) {
            GroupDesc.setInodeBitmapChecksum(desc, off, sb.descSize(), inodes(sb, bitmap));
        }
    }

    /** Whether the inode bitmap agrees with the descriptor at {@code desc[off]}. */
    public static boolean verifyInodes(Superblock sb, byte[] bitmap, byte[] desc, int off) {
        return !sb.metadataCsum()
                || GroupDesc.hasFlag(sb, desc, off, GroupDesc.INODE_UNINIT)
                || same(sb, GroupDesc.inodeBitmapChecksum(desc, off, sb.descSize()), inodes(sb, bitmap));
    }

    /** The block bitmap's sum, as far as blocks per group go. */
    public static int blocks(Superblock sb, byte[] bitmap) {
        return Crc32c.raw(sb.csumSeed(), bitmap, 0, sb.clustersPerGroup() / 8);
    }

    /** The inode bitmap's sum, as far as inodes per group go. */
    public static int inodes(Superblock sb, byte[] bitmap) {
        return Crc32c.raw(sb.csumSeed(), bitmap, 0, sb.inodesPerGroup() / 8);
    }

    private static boolean same(Superblock sb, int stored, int computed) {
        return stored == (sb.descSize() >= 64 ? computed : computed & 0xFFFF);
    }
}
