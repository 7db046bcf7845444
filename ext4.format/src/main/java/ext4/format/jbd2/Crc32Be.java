// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

/** CRC-32 with polynomial 0x04C11DB7, most significant bit first, not inverted: the transaction checksum of v1. */
public final class Crc32Be {
    /** The start value. */
    public static final int START = ~0;

    private static final int POLYNOMIAL = 0x04C11DB7;
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i << 24;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc < 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
            }
            TABLE[i] = crc;
        }
    }

    private Crc32Be() {}

    /** Continues a sum over {@code b[off, off + len)}. */
    public static int update(int crc, byte[] b, int off, int len) {
        int sum = crc;
        for (int i = off; i < off + len; i++) {
            sum = sum << 8 ^ TABLE[(sum >>> 24 ^ b[i]) & 0xFF];
        }
        return sum;
    }
}
