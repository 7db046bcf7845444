// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.checksum.ZeroRun;
import ext4.format.superblock.Superblock;
import java.util.zip.CRC32C;

/**
 * Seals inode records as {@link InodeChecksum#seal} does, faster where one inode's record is written again and again: what
 * depends on number and generation alone is a key, which the caller keeps with the inode. Immutable; any thread.
 */
public final class RecordSeal {
    private final Superblock sb;
    private final ZeroRun record;

    /** For the records of this filesystem. */
    public RecordSeal(Superblock sb) {
        this.sb = sb;
        record = new ZeroRun(sb.inodeSize());
    }

    /** The key of an inode. */
    public int key(int ino, int generation) {
        return record.after(InodeChecksum.seed(sb, ino, generation) ^ Crc32c.START);
    }

    /** Stores the checksum, if the filesystem's inodes have one. Under the record lock. */
    public void seal(byte[] b, int off, int key) {
        if (!sb.inodeCsum()) {
            return;
        }
        boolean high = InodeChecksum.hasHigh(b, off, sb.inodeSize());
        Le.put16(b, off + InodeChecksum.CHECKSUM_LO, 0);
        if (high) {
            Le.put16(b, off + InodeChecksum.CHECKSUM_HI, 0);
        }
        CRC32C crc = new CRC32C();
        crc.update(b, off, sb.inodeSize());
        int sum = ~(int) crc.getValue() ^ key;
        Le.put16(b, off + InodeChecksum.CHECKSUM_LO, sum);
        if (high) {
            Le.put16(b, off + InodeChecksum.CHECKSUM_HI, sum >>> 16);
        }
    }
}
