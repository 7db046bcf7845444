// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import ext4.format.FormatException;
import java.util.Arrays;

/**
 * Revoke blocks: block numbers whose copies in this and earlier transactions must not be replayed. Header, u32 bytes
 * in use (the 16 bytes before the numbers count), then numbers of 4 or (64bit) 8 bytes. The count stands in the
 * block, so there is no state elsewhere.
 *
 * <p>Writing: {@link #init}, {@link #add} until it says full, {@link LogFormat#sealTail}. Reading:
 * {@link LogFormat#verifyTail}, {@link #count}, {@link #fsBlock}.
 */
public final class RevokeBlock {
    /** Bytes before the first number. */
    public static final int HEADER_SIZE = 16;

    private static final int USED = 0x0C;

    private RevokeBlock() {}

    /** The numbers that fit into one block. */
    public static int capacity(LogFormat format) {
        return (format.contentEnd() - HEADER_SIZE) / format.revokeSize();
    }

    /** Makes the array's first block an empty revoke block of that transaction. */
    public static void init(LogFormat format, byte[] b, int sequence) {
        Arrays.fill(b, 0, format.blockSize(), (byte) 0);
        BlockHeader.write(b, BlockHeader.REVOKE, sequence);
        Be.put32(b, USED, HEADER_SIZE);
    }

    /** Adds a number; false (nothing changed) if the block is full. */
    public static boolean add(LogFormat format, byte[] b, long fsBlock) {
        int used = Be.i32(b, USED);
        if (used + format.revokeSize() > format.contentEnd()) {
            return false;
        }
        if (fsBlock < 0 || fsBlock > format.maxBlock()) {
            throw new IllegalArgumentException("block " + fsBlock + " in a log of narrow block numbers");
        }
        if (format.is64Bit()) {
            Be.put64(b, used, fsBlock);
        } else {
            Be.put32(b, used, (int) fsBlock);
        }
        Be.put32(b, USED, used + format.revokeSize());
        return true;
    }

    /**
     * How many numbers there are.
     *
     * @param logBlock where the block stands in the log, for the evidence
     * @throws FormatException if the bytes in use don't fit the block
     */
    public static int count(LogFormat format, byte[] b, long logBlock) throws FormatException {
        long used = Be.u32(b, USED);
        if (used < HEADER_SIZE || used > format.contentEnd()) {
            throw new FormatException(
                    "revoke block", logBlock, "r_count", used, HEADER_SIZE + " to " + format.contentEnd());
        }
        return (int) (used - HEADER_SIZE) / format.revokeSize();
    }

    /** The i-th number, i below {@link #count}; negative only in damaged blocks. */
    public static long fsBlock(LogFormat format, byte[] b, int i) {
        int off = HEADER_SIZE + format.revokeSize() * i;
        return format.is64Bit() ? Be.i64(b, off) : Be.u32(b, off);
    }
}
