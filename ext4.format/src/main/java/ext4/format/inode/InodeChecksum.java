// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.superblock.Superblock;

/** The checksum of an inode record, and the seed that it shares with all blocks of the inode. */
public final class InodeChecksum {
    static final int CHECKSUM_LO = 0x7C;
    static final int CHECKSUM_HI = 0x82;

    private InodeChecksum() {}

    /** Seed of the record and of the inode's directory, extent and orphan-file blocks. */
    public static int seed(Superblock sb, int ino, int generation) {
        return Crc32c.rawLe32(Crc32c.rawLe32(sb.csumSeed(), ino), generation);
    }

    /** What the record's checksum must be: 32 bits, of which a record without extra fields holds the low 16. */
    public static int checksum(Superblock sb, int ino, byte[] b, int off) {
        int inodeSize = sb.inodeSize();
        int sum = seed(sb, ino, InodeRecord.generation(b, off));
        sum = Crc32c.rawZeros(Crc32c.raw(sum, b, off, CHECKSUM_LO), 2);
        if (!hasHigh(b, off, inodeSize)) {
            return Crc32c.raw(sum, b, off + CHECKSUM_LO + 2, inodeSize - CHECKSUM_LO - 2) & 0xFFFF;
        }
        sum = Crc32c.raw(sum, b, off + CHECKSUM_LO + 2, CHECKSUM_HI - CHECKSUM_LO - 2);
        sum = Crc32c.rawZeros(sum, 2);
        return Crc32c.raw(sum, b, off + CHECKSUM_HI + 2, inodeSize - CHECKSUM_HI - 2);
    }

    /** The checksum in the record. */
    public static int stored(byte[] b, int off, int inodeSize) {
        int low = Le.u16(b, off + CHECKSUM_LO);
        return hasHigh(b, off, inodeSize) ? low | Le.u16(b, off + CHECKSUM_HI) << 16 : low;
    }

    /** Stores the checksum, if the filesystem's inodes have one. Under the record lock. */
    public static void seal(Superblock sb, int ino, byte[] b, int off) {
        if (!sb.inodeCsum()) {
            return;
        }
        int sum = checksum(sb, ino, b, off);
        Le.put16(b, off + CHECKSUM_LO, sum);
        if (hasHigh(b, off, sb.inodeSize())) {
            Le.put16(b, off + CHECKSUM_HI, sum >>> 16);
        }
    }

    /** Whether the checksum holds; true on a filesystem without, and for a record that is all zero (never used). */
    public static boolean verify(Superblock sb, int ino, byte[] b, int off) {
        return !sb.inodeCsum()
                || stored(b, off, sb.inodeSize()) == checksum(sb, ino, b, off)
                || isZero(b, off, sb.inodeSize());
    }

    static boolean hasHigh(byte[] b, int off, int inodeSize) {
        return InodeRecord.covers(b, off, inodeSize, CHECKSUM_HI, 2);
    }

    private static boolean isZero(byte[] b, int off, int bytes) {
        for (int i = off; i < off + bytes; i += 8) {
            if (Le.u64(b, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
