// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.core.cache.BlockKind;
import ext4.format.FormatException;
import ext4.format.inode.InodeChecksum;
import ext4.format.superblock.Superblock;

/**
 * The blocks of one directory, as the cache sees them: checked and sealed with the seed of the directory's inode.
 *
 * @param sb of the filesystem
 * @param format of its directories
 * @param ino the directory
 * @param generation its i_generation
 */
record DirBlockKind(Superblock sb, DirFormat format, int ino, int generation) implements BlockKind {
    @Override
    public Loss loss() {
        return Loss.OF_A_NAME;
    }

    @Override
    public String what() {
        return "block of directory " + Integer.toUnsignedString(ino);
    }

    @Override
    public long id() {
        return (long) ino << Integer.SIZE | Integer.toUnsignedLong(generation);
    }

    @Override
    public void verify(byte[] block, long pblk) {
        try {
            DirBlockCheck.check(block, format, seed(), pblk);
        } catch (FormatException e) {
            throw new CorruptException(what() + ", " + e.structure(), pblk, e.field(), e.found(), e.expected());
        }
    }

    @Override
    public void seal(byte[] block, long pblk) {
        DirBlockCheck.seal(block, format, seed());
    }

    private int seed() {
        return InodeChecksum.seed(sb, ino, generation);
    }
}
