// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.checksum.ZeroRun;
import ext4.format.superblock.Superblock;
import java.util.zip.CRC32C;

/**
 * Seals inode records as {@link InodeChecksum#seal} does, faster where one inode's record is written again and again: what
 * depends on number, generation and the extended attributes behind the fields alone is a key, which the caller keeps with
 * the inode. So a change of the fields reads no byte of the record's end, whose cache line belongs to the next record as
 * well: two threads that change neighbours don't take it from each other. Immutable; any thread.
 */
public final class RecordSeal {
    /** Where the fields end that are known; behind them are extended attributes, and fields that nobody writes. */
    private static final int FIELDS = InodeRecord.FIELDS_END;

    private final Superblock sb;
    private final int head;
    private final ZeroRun record;
    private final ZeroRun tail;

    /** For the records of this filesystem. */
    public RecordSeal(Superblock sb) {
        this.sb = sb;
        head = Math.min(FIELDS, sb.inodeSize());
        record = new ZeroRun(sb.inodeSize());
        tail = new ZeroRun(sb.inodeSize() - head);
    }

    /** The key of an inode, to be made anew when its generation or anything behind the fields changed. Under the record lock. */
    public int key(int ino, int generation, byte[] b, int off) {
        if (!sb.inodeCsum()) {
            return 0;
        }
        int start = InodeChecksum.seed(sb, ino, generation) ^ Crc32c.START;
        return record.after(start) ^ Crc32c.raw(0, b, off + head, sb.inodeSize() - head);
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
        crc.update(b, off, head);
        int sum = tail.after(~(int) crc.getValue()) ^ key;
        Le.put16(b, off + InodeChecksum.CHECKSUM_LO, sum);
        if (high) {
            Le.put16(b, off + InodeChecksum.CHECKSUM_HI, sum >>> 16);
        }
    }
}
