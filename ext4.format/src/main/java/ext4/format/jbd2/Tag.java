// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

/**
 * Fields of one tag. With csum_v3: u32 block, u32 flags, u32 block high, u32 checksum. Else: u32 block, u16 checksum,
 * u16 flags, and u32 block high if 64bit. The high half counts only if 64bit. A UUID follows unless SAME_UUID is set.
 */
final class Tag {
    static final int ESCAPED = 1;
    static final int SAME_UUID = 2;
    static final int LAST = 8;
    static final int UUID_SIZE = 16;

    private static final int BLOCK = 0;
    private static final int BLOCK_HIGH = 8;
    private static final int V3_FLAGS = 4;
    private static final int V3_CHECKSUM = 12;
    private static final int CHECKSUM = 4;
    private static final int FLAGS = 6;

    private Tag() {}

    static long block(LogFormat format, byte[] b, int off) {
        long low = Be.u32(b, off + BLOCK);
        return format.is64Bit() ? Be.u32(b, off + BLOCK_HIGH) << 32 | low : low;
    }

    static int flags(LogFormat format, byte[] b, int off) {
        return format.isTagV3() ? Be.i32(b, off + V3_FLAGS) : Be.u16(b, off + FLAGS);
    }

    static int checksum(LogFormat format, byte[] b, int off) {
        return format.isTagV3() ? Be.i32(b, off + V3_CHECKSUM) : Be.u16(b, off + CHECKSUM);
    }

    static void setFlags(LogFormat format, byte[] b, int off, int flags) {
        if (format.isTagV3()) {
            Be.put32(b, off + V3_FLAGS, flags);
        } else {
            Be.put16(b, off + FLAGS, flags);
        }
    }

    static void write(LogFormat format, byte[] b, int off, long block, int flags, int checksum) {
        Be.put32(b, off + BLOCK, (int) block);
        setFlags(format, b, off, flags);
        if (format.isTagV3()) {
            Be.put32(b, off + V3_CHECKSUM, checksum);
        } else {
            Be.put16(b, off + CHECKSUM, format.isTagV2() ? checksum : 0);
        }
        if (format.is64Bit()) {
            Be.put32(b, off + BLOCK_HIGH, (int) (block >>> 32));
        } else if (format.isTagV3()) {
            Be.put32(b, off + BLOCK_HIGH, 0);
        }
    }
}
