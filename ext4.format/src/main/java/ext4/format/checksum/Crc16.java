// SPDX-License-Identifier: Apache-2.0
package ext4.format.checksum;

/** CRC-16 with the reflected ANSI polynomial 0xA001: group descriptor checksums of uninit_bg. Thread-safe. */
public final class Crc16 {
    /** Start value of a group descriptor's sum. */
    public static final int START = 0xFFFF;

    private static final short[] TABLE = new short[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0xA001 : crc >>> 1;
            }
            TABLE[i] = (short) crc;
        }
    }

    private Crc16() {}

    /** The sum of {@code len} bytes from {@code off}, continued from {@code crc}; 16 bits, not inverted. */
    public static int raw(int crc, byte[] b, int off, int len) {
        int sum = crc & 0xFFFF;
        for (int i = off, end = off + len; i < end; i++) {
            sum = step(sum, b[i]);
        }
        return sum;
    }

    /** The sum of the four little-endian bytes of {@code value}, continued from {@code crc}. */
    public static int rawLe32(int crc, int value) {
        int sum = crc & 0xFFFF;
        for (int shift = 0; shift < 32; shift += 8) {
            sum = step(sum, value >>> shift);
        }
        return sum;
    }

    private static int step(int sum, int octet) {
        return (sum >>> 8) ^ (TABLE[(sum ^ octet) & 0xFF] & 0xFFFF);
    }
}
