// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.CorruptException;
import ext4.core.cache.BlockKind;
import ext4.core.volume.Evidence;
import ext4.format.superblock.Superblock;
import ext4.format.xattr.XattrBlock;

/** An attribute block. One instance a mount, so that inodes that share a block share it in the cache. */
final class XattrBlockKind implements BlockKind {
    private final Superblock sb;

    XattrBlockKind(Superblock sb) {
        this.sb = sb;
    }

    @Override
    public String what() {
        return "xattr block";
    }

    @Override
    public long id() {
        return 0;
    }

    @Override
    public void verify(byte[] block, long pblk) {
        if (sb.metadataCsum() && !XattrBlock.verify(block, pblk, sb.csumSeed())) {
            throw new CorruptException(what(), pblk, "h_checksum", "wrong", "that of its bytes");
        }
        Evidence.check(() -> XattrBlock.validate(block, pblk));
    }

    @Override
    public void seal(byte[] block, long pblk) {
        if (sb.metadataCsum()) {
            XattrBlock.seal(block, pblk, sb.csumSeed());
        }
    }
}
