// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import ext4.format.checksum.Crc32c;
import java.util.Arrays;

/**
 * Commit blocks: header, u8 checksum type, u8 checksum size, 2 bytes, u32 checksum[8], u64 seconds, u32 nanoseconds.
 * With csum v2 or v3 checksum[0] covers the block itself; with checksum v1 (type 1, size 4) it is the CRC-32 of all
 * descriptor and logged blocks of the transaction.
 */
public final class CommitBlock {
    private static final int CHECKSUM_TYPE = 0x0C;
    private static final int CHECKSUM_SIZE = 0x0D;
    private static final int CHECKSUM = 0x10;
    private static final int SECONDS = 0x30;
    private static final int NANOSECONDS = 0x38;
    private static final int TYPE_CRC32 = 1;
    private static final int SIZE_CRC32 = 4;

    private CommitBlock() {}

    /** Makes the array's first block a sealed commit block of that transaction; v1 checksums are not written. */
    public static void write(LogFormat format, byte[] b, int sequence, long seconds, int nanoseconds) {
        Arrays.fill(b, 0, format.blockSize(), (byte) 0);
        BlockHeader.write(b, BlockHeader.COMMIT, sequence);
        Be.put64(b, SECONDS, seconds);
        Be.put32(b, NANOSECONDS, nanoseconds);
        seal(format, b);
    }

    /** Stores the block's own checksum (v2, v3), if there are any. */
    public static void seal(LogFormat format, byte[] b) {
        if (format.hasChecksum()) {
            Be.put32(b, CHECKSUM, checksum(format, b));
        }
    }

    /** Whether the block's own checksum (v2, v3) is right; true without one. */
    public static boolean verify(LogFormat format, byte[] b) {
        return !format.hasChecksum() || Be.i32(b, CHECKSUM) == checksum(format, b);
    }

    /**
     * Whether the transaction's blocks have the CRC-32 that the commit block says (v1); true if it says none.
     *
     * @param crc {@link Crc32Be} of the descriptor and logged blocks, in log order
     */
    public static boolean matchesV1(LogFormat format, byte[] b, int crc) {
        if (!format.hasChecksumV1()) {
            return true;
        }
        int stored = Be.i32(b, CHECKSUM);
        if (b[CHECKSUM_TYPE] == 0 && b[CHECKSUM_SIZE] == 0 && stored == 0) {
            return true;
        }
        return b[CHECKSUM_TYPE] == TYPE_CRC32 && b[CHECKSUM_SIZE] == SIZE_CRC32 && stored == crc;
    }

    /** Commit time, seconds since 1970. */
    public static long seconds(byte[] b) {
        return Be.i64(b, SECONDS);
    }

    /** Nanoseconds of the commit time. */
    public static int nanoseconds(byte[] b) {
        return Be.i32(b, NANOSECONDS);
    }

    private static int checksum(LogFormat format, byte[] b) {
        int crc = Crc32c.rawZeros(Crc32c.raw(format.seed(), b, 0, CHECKSUM), 4);
        return Crc32c.raw(crc, b, CHECKSUM + 4, format.blockSize() - CHECKSUM - 4);
    }
}
