// SPDX-License-Identifier: Apache-2.0
package ext4.format.orphan;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/**
 * A block of the orphan file, from byte 0: slots of one inode number each (0 is free), then magic and checksum. The
 * checksum covers the block's own number, so a moved block is invalid.
 */
public final class OrphanBlock {
    public static final int MAGIC = 0x0B10CA04;
    /** Most blocks of an orphan file. */
    public static final int MAX_BLOCKS = 512;

    private static final int TAIL_BYTES = 8;

    private OrphanBlock() {}

    /** Slots of a block. */
    public static int slots(int blockSize) {
        return (blockSize - TAIL_BYTES) / 4;
    }

    /** Inode number in a slot (unsigned), 0 if it is free. */
    public static int get(byte[] b, int slot) {
        return Le.i32(b, 4 * slot);
    }

    public static void set(byte[] b, int slot, int ino) {
        Le.put32(b, 4 * slot, ino);
    }

    /** The first free slot from {@code from} on; -1 if there is none. */
    public static int nextFree(byte[] b, int blockSize, int from) {
        for (int slot = from; slot < slots(blockSize); slot++) {
            if (get(b, slot) == 0) {
                return slot;
            }
        }
        return -1;
    }

    /** The first slot in use from {@code from} on; -1 if there is none. */
    public static int nextUsed(byte[] b, int blockSize, int from) {
        for (int slot = from; slot < slots(blockSize); slot++) {
            if (get(b, slot) != 0) {
                return slot;
            }
        }
        return -1;
    }

    /** Makes an empty block, to be sealed. */
    public static void init(byte[] b, int blockSize) {
        Arrays.fill(b, 0, blockSize, (byte) 0);
        Le.put32(b, blockSize - TAIL_BYTES, MAGIC);
    }

    public static int magic(byte[] b, int blockSize) {
        return Le.i32(b, blockSize - TAIL_BYTES);
    }

    /**
     * What the checksum must be.
     *
     * @param inodeSeed of the orphan file's inode, see {@link ext4.format.inode.InodeChecksum#seed}
     * @param pblk the block's own number
     */
    public static int checksum(int inodeSeed, long pblk, byte[] b, int blockSize) {
        return Crc32c.raw(Crc32c.rawLe64(inodeSeed, pblk), b, 0, 4 * slots(blockSize));
    }

    /** Stores the checksum, if the filesystem has metadata_csum. */
    public static void seal(Superblock sb, int inodeSeed, long pblk, byte[] b) {
        if (sb.metadataCsum()) {
            Le.put32(b, sb.blockSize() - 4, checksum(inodeSeed, pblk, b, sb.blockSize()));
        }
    }

    /** Whether the checksum holds; true without metadata_csum. */
    public static boolean verify(Superblock sb, int inodeSeed, long pblk, byte[] b) {
        return !sb.metadataCsum() || Le.i32(b, sb.blockSize() - 4) == checksum(inodeSeed, pblk, b, sb.blockSize());
    }

    /** Checks magic and checksum of a block that was read from {@code pblk}. */
    public static void check(Superblock sb, int inodeSeed, long pblk, byte[] b) throws FormatException {
        int magic = magic(b, sb.blockSize());
        if (magic != MAGIC) {
            throw new FormatException(
                    "orphan file",
                    pblk,
                    "ob_magic",
                    "0x" + Integer.toHexString(magic),
                    "0x" + Integer.toHexString(MAGIC));
        }
        if (!verify(sb, inodeSeed, pblk, b)) {
            throw new FormatException(
                    "orphan file",
                    pblk,
                    "ob_checksum",
                    "0x" + Integer.toHexString(Le.i32(b, sb.blockSize() - 4)),
                    "0x" + Integer.toHexString(checksum(inodeSeed, pblk, b, sb.blockSize())));
        }
    }
}
