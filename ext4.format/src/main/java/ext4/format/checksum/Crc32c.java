// SPDX-License-Identifier: Apache-2.0
package ext4.format.checksum;

import ext4.format.Le;
import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) with any start value and no final inversion, as ext4 and JBD2
 * use it. Thread-safe; holds no state but constant tables.
 *
 * <p>The JVM's own {@link CRC32C} is compiled to the processor's instruction, but always starts at ~0. Feeding four
 * bytes is a bijection of the 32-bit state, so for each start value there is exactly one 4-byte prefix that leads from
 * ~0 to it: long inputs go through the JVM behind that prefix, short ones through tables, eight bytes a step.
 */
public final class Crc32c {
    /** The usual first start value. */
    public static final int START = ~0;

    /**
     * Inputs up to this many bytes use the tables. The prefix costs four table steps back and four byte updates, and the
     * instruction's stub a call: together about what eight table steps of eight bytes take.
     */
    static final int SHORT_INPUT = 64;

    private static final int POLYNOMIAL = 0x82F63B78;

    /** Slice k at {@code k * 256}: the state after byte i and k zero bytes, from state 0. */
    private static final int[] SLICES = new int[8 * 256];

    /** The table index whose entry has this high byte: undoes one byte. */
    private static final byte[] INDEX_OF_HIGH_BYTE = new byte[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
            }
            SLICES[i] = crc;
            INDEX_OF_HIGH_BYTE[crc >>> 24] = (byte) i;
        }
        for (int i = 256; i < SLICES.length; i++) {
            int crc = SLICES[i - 256];
            SLICES[i] = (crc >>> 8) ^ SLICES[crc & 0xFF];
        }
    }

    private Crc32c() {}

    /** The sum of {@code len} bytes from {@code off}, continued from {@code seed}. */
    public static int raw(int seed, byte[] b, int off, int len) {
        return len <= SHORT_INPUT ? byTable(seed, b, off, len) : byProcessor(seed, b, off, len);
    }

    /** The sum of a whole array, continued from {@code seed}. */
    public static int raw(int seed, byte[] b) {
        return raw(seed, b, 0, b.length);
    }

    /** The sum of the four little-endian bytes of {@code value}, continued from {@code seed}. */
    public static int rawLe32(int seed, int value) {
        return fourZeros(seed ^ value);
    }

    /** The sum of the four big-endian bytes of {@code value} (JBD2 sequence numbers), continued from {@code seed}. */
    public static int rawBe32(int seed, int value) {
        return fourZeros(seed ^ Integer.reverseBytes(value));
    }

    /** The sum of the eight little-endian bytes of {@code value}, continued from {@code seed}. */
    public static int rawLe64(int seed, long value) {
        return eight(seed ^ (int) value, (int) (value >>> 32));
    }

    /** The sum of {@code count} zero bytes: what stands in for a checksum field within the bytes it covers. */
    public static int rawZeros(int seed, int count) {
        int crc = seed;
        int left = count;
        for (; left >= 4; left -= 4) {
            crc = fourZeros(crc);
        }
        for (; left > 0; left--) {
            crc = step(crc, 0);
        }
        return crc;
    }

    static int byTable(int seed, byte[] b, int off, int len) {
        int crc = seed;
        int at = off;
        int end = off + len;
        for (; end - at >= 8; at += 8) {
            crc = eight(crc ^ Le.i32(b, at), Le.i32(b, at + 4));
        }
        for (; at < end; at++) {
            crc = step(crc, b[at]);
        }
        return crc;
    }

    static int byProcessor(int seed, byte[] b, int off, int len) {
        CRC32C crc = new CRC32C();
        int prefix = ~beforeFourZeros(seed);
        crc.update(prefix);
        crc.update(prefix >>> 8);
        crc.update(prefix >>> 16);
        crc.update(prefix >>> 24);
        crc.update(b, off, len);
        return ~(int) crc.getValue();
    }

    private static int step(int crc, int octet) {
        return (crc >>> 8) ^ SLICES[(crc ^ octet) & 0xFF];
    }

    private static int fourZeros(int crc) {
        return SLICES[768 + (crc & 0xFF)]
                ^ SLICES[512 + ((crc >>> 8) & 0xFF)]
                ^ SLICES[256 + ((crc >>> 16) & 0xFF)]
                ^ SLICES[crc >>> 24];
    }

    /** Eight bytes at once: {@code low} is the state xor the first four, {@code high} the next four. */
    private static int eight(int low, int high) {
        return SLICES[1792 + (low & 0xFF)]
                ^ SLICES[1536 + ((low >>> 8) & 0xFF)]
                ^ SLICES[1280 + ((low >>> 16) & 0xFF)]
                ^ SLICES[1024 + (low >>> 24)]
                ^ fourZeros(high);
    }

    private static int beforeFourZeros(int crc) {
        int state = crc;
        for (int i = 0; i < 4; i++) {
            int index = INDEX_OF_HIGH_BYTE[state >>> 24] & 0xFF;
            state = ((state ^ SLICES[index]) << 8) | index;
        }
        return state;
    }
}
