// SPDX-License-Identifier: Apache-2.0
package ext4.format.checksum;

/**
 * What a fixed number of zero bytes makes of a CRC-32C state, in four table lookups. CRC is linear: the sum of any bytes
 * from start value s is their sum from another one, t, xor what as many zero bytes make of s xor t. So what depends on the
 * start value can be computed once and kept, and the bytes can go through the JVM's own CRC32C. Immutable; any thread.
 */
public final class ZeroRun {
    /** Slice k at {@code k * 256}: what becomes of state {@code i << 8 * k}. */
    private final int[] slices = new int[4 * 256];

    /** @param bytes length of the run */
    public ZeroRun(int bytes) {
        for (int k = 0; k < 4; k++) {
            for (int bit = 0; bit < 8; bit++) {
                slices[k * 256 + (1 << bit)] = Crc32c.rawZeros(1 << 8 * k + bit, bytes);
            }
            for (int i = 1; i < 256; i++) {
                int lowest = i & -i;
                slices[k * 256 + i] = slices[k * 256 + lowest] ^ slices[k * 256 + (i ^ lowest)];
            }
        }
    }

    /** The state after the run, from {@code state}. */
    public int after(int state) {
        return slices[state & 0xFF]
                ^ slices[256 + (state >>> 8 & 0xFF)]
                ^ slices[512 + (state >>> 16 & 0xFF)]
                ^ slices[768 + (state >>> 24)];
    }
}
