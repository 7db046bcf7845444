// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;

/**
 * The checksum tail of a directory block with feature metadata_csum: the last 12 bytes look like a free entry with file
 * type 0xDE and hold crc32c(inode seed, all bytes before the tail).
 *
 * <p>The array is exactly one block. A block of a filesystem that got the feature later may have no tail (its last
 * entry fills the block): it is legal and can't be verified, so {@link #seal} does nothing and {@link #verify} says
 * true.
 */
public final class DirTail {
    /** Size in bytes. */
    public static final int SIZE = 12;

    private static final int CHECKSUM = 8;

    private DirTail() {}

    /** Whether the block ends with a tail. */
    public static boolean isPresent(byte[] block) {
        int off = block.length - SIZE;
        return DirEntry.inode(block, off) == 0
                && DirEntry.recLen(block, off) == SIZE
                && DirEntry.nameLen(block, off) == 0
                && DirEntry.fileType(block, off) == FileType.CHECKSUM_TAIL;
    }

    /**
     * Where the entries of an existing block end: before its tail with metadata_csum if it has one, else its length.
     */
    public static int entriesEnd(byte[] block, boolean metadataCsum) {
        return metadataCsum && isPresent(block) ? block.length - SIZE : block.length;
    }

    /** Where the entries of a new block end. */
    public static int entriesEnd(int blockSize, boolean metadataCsum) {
        return metadataCsum ? blockSize - SIZE : blockSize;
    }

    /** Writes a tail with checksum 0. */
    public static void init(byte[] block) {
        int off = block.length - SIZE;
        DirEntry.writeFree(block, off, SIZE);
        DirEntry.setFileType(block, off, FileType.CHECKSUM_TAIL);
        Le.put32(block, off + CHECKSUM, 0);
    }

    /** Computes and stores the checksum, if the block has a tail. */
    public static void seal(byte[] block, int inodeSeed) {
        if (isPresent(block)) {
            Le.put32(block, block.length - SIZE + CHECKSUM, checksum(block, inodeSeed));
        }
    }

    /** Whether the stored checksum is right; true without a tail. */
    public static boolean verify(byte[] block, int inodeSeed) {
        return !isPresent(block) || Le.i32(block, block.length - SIZE + CHECKSUM) == checksum(block, inodeSeed);
    }

    private static int checksum(byte[] block, int inodeSeed) {
        return Crc32c.raw(inodeSeed, block, 0, block.length - SIZE);
    }
}
