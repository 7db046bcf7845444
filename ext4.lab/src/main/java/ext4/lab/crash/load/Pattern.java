// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import java.nio.ByteBuffer;

/**
 * What files hold: bytes of which each tells file, version and offset apart, and all of which have their highest bit set,
 * as no metadata and no mark of a free block has.
 */
public final class Pattern {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private Pattern() {}

    static byte[] bytes(int file, int version, long offset, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            long hash = ((long) file << 40 ^ (long) version << 24 ^ offset + i) * MULTIPLIER;
            hash = (hash ^ hash >>> 29) * MULTIPLIER;
            bytes[i] = (byte) (0x80 | hash >>> 57);
        }
        return bytes;
    }

    /** Whether bytes about to be written are a file's. */
    public static boolean isOfFile(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) >= 0) {
                return false;
            }
        }
        return bytes.hasRemaining();
    }
}
