// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.CorruptException;
import ext4.core.alloc.SystemZone;
import ext4.core.cache.BlockKind;
import ext4.core.volume.Evidence;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.superblock.Superblock;

/**
 * A node of an inode's extent tree in a block of its own. Checked here for itself; that its depth and range are what its
 * parent promised is checked at each descent, see {@link ExtentPath}.
 */
final class ExtentNodeKind implements BlockKind {
    private final Superblock sb;
    private final SystemZone zone;
    private final int ino;
    private final int seed;

    /** @param seed checksum seed of the inode */
    ExtentNodeKind(Superblock sb, SystemZone zone, int ino, int seed) {
        this.sb = sb;
        this.zone = zone;
        this.ino = ino;
        this.seed = seed;
    }

    @Override
    public String what() {
        return "extent node of inode " + Integer.toUnsignedString(ino);
    }

    @Override
    public long id() {
        return (long) ino << Integer.SIZE | Integer.toUnsignedLong(seed);
    }

    @Override
    public void verify(byte[] block, long pblk) {
        int depth = Math.min(ExtentNode.depth(block, 0), ExtentNode.MAX_DEPTH - 1);
        Evidence.check(() -> ExtentCheck.block(sb, ino, seed, block, 0, pblk, depth, 0, ExtentCheck.END));
        for (int i = 0; i < ExtentNode.entries(block, 0); i++) {
            boolean leaf = ExtentNode.isLeaf(block, 0);
            long start = leaf ? ExtentNode.start(block, 0, i) : ExtentNode.child(block, 0, i);
            if (zone.overlaps(start, leaf ? ExtentNode.length(block, 0, i) : 1)) {
                throw new CorruptException(
                        what(), pblk, "block of entry " + i, Long.toString(start), "blocks outside fixed metadata");
            }
        }
    }

    @Override
    public void seal(byte[] block, long pblk) {
        ExtentNode.seal(sb, seed, block, 0);
    }
}
