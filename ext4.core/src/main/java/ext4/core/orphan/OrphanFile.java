// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.core.alloc.Run;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.volume.Evidence;
import ext4.core.volume.Volume;
import ext4.format.inode.InodeChecksum;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Superblock;
import java.util.Arrays;
import java.util.List;

/**
 * The orphan file's blocks (feature orphan_file). All are read and checked at mount and stay in memory until unmount.
 * Different slots may be changed side by side; who changes one is the orphan list's matter.
 */
final class OrphanFile {
    private record Kind(Superblock sb, int seed) implements BlockKind {
        @Override
        public String what() {
            return "orphan file";
        }

        @Override
        public long id() {
            return 0;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            Evidence.check(() -> OrphanBlock.check(sb, seed, pblk, block));
        }

        @Override
        public void seal(byte[] block, long pblk) {
            OrphanBlock.seal(sb, seed, pblk, block);
        }
    }

    private final CachedBlock[] blocks;
    private final int slots;

    /** A filesystem without the feature. */
    OrphanFile() {
        blocks = new CachedBlock[0];
        slots = 0;
    }

    /** @param inode the orphan file's, nobody else uses it */
    OrphanFile(Volume volume, FileMap map, Inode inode) {
        Superblock sb = volume.superblock();
        slots = OrphanBlock.slots(sb.blockSize());
        long count = inode.size >>> sb.blockBits();
        if (!inode.isRegular() || count << sb.blockBits() != inode.size || count > OrphanBlock.MAX_BLOCKS) {
            throw new CorruptException(
                    "orphan file, " + inode,
                    -1,
                    "i_size",
                    Long.toString(inode.size),
                    "whole blocks of a regular file, at most " + OrphanBlock.MAX_BLOCKS);
        }
        Kind kind = new Kind(sb, InodeChecksum.seed(sb, inode.ino, inode.generation));
        blocks = new CachedBlock[(int) count];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = map.block(inode, i, kind);
        }
    }

    int blocks() {
        return blocks.length;
    }

    /** Where they lie. */
    List<Run> runs() {
        return Arrays.stream(blocks).map(block -> new Run(block.pblk(), 1)).toList();
    }

    int slots() {
        return slots;
    }

    int get(int block, int slot) {
        return OrphanBlock.get(blocks[block].data(), slot);
    }

    void set(Handle handle, int block, int slot, int ino) {
        OrphanBlock.set(handle.write(blocks[block]), slot, ino);
    }
}
