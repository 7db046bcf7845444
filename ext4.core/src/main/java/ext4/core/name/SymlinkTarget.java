// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.CorruptException;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import java.util.Arrays;

/**
 * Where a symbolic link keeps its target: below 60 bytes in i_block (a fast symlink), else in one block, of which it may
 * fill all but a byte. A fast one has no block but perhaps one with extended attributes.
 *
 * <p>The block is treated as metadata, as the kernel does, so that it is in the transaction that names the link.
 */
final class SymlinkTarget {
    /** Longest path, bytes: PATH_MAX without the NUL. */
    static final int PATH_MAX = 4095;

    /** A block with a target; it has no checksum. */
    static final BlockKind KIND = new BlockKind() {
        @Override
        public String what() {
            return "symlink target";
        }

        @Override
        public long id() {
            return 0;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            // any bytes may be a target
        }

        @Override
        public void seal(byte[] block, long pblk) {
            // no checksum
        }
    };

    private SymlinkTarget() {}

    /** Longest target that fits, bytes. */
    static int longest(int blockSize) {
        return Math.min(blockSize - 1, PATH_MAX);
    }

    /** Whether a target of that length stands in the inode. */
    static boolean isFast(int length) {
        return length < Inode.I_BLOCK_BYTES;
    }

    /** The target; the lock is held. */
    static byte[] read(Volume volume, FileMap map, Inode link) {
        long attributes = link.xattrBlock == 0 ? 0 : volume.superblock().xattrBlockSectors();
        if (link.sectors == attributes) {
            checkSize(link, Inode.I_BLOCK_BYTES - 1);
            return upToNul(link.iBlock, (int) link.size);
        }
        checkSize(link, volume.blockSize() - 1);
        try (CachedBlock block = map.block(link, 0, KIND)) {
            return upToNul(block.data(), (int) link.size);
        }
    }

    private static void checkSize(Inode link, int most) {
        if (link.size < 1 || link.size > most) {
            throw new CorruptException(link.toString(), -1, "size of a symlink", "" + link.size, "1 to " + most);
        }
    }

    private static byte[] upToNul(byte[] b, int size) {
        int length = 0;
        while (length < size && b[length] != 0) {
            length++;
        }
        return Arrays.copyOf(b, length);
    }
}
