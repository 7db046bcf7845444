// SPDX-License-Identifier: Apache-2.0
package ext4.format.fields;

/**
 * One number of a structure on disk.
 *
 * @param name as in the kernel's documentation
 * @param at byte within the structure
 * @param bytes 1, 2, 4 or 8
 * @param sort what the number stands for
 * @param bigEndian whether the most significant byte comes first: only in the journal
 */
public record Field(String name, int at, int bytes, Sort sort, boolean bigEndian) {
    /** What a number stands for. */
    public enum Sort {
        /** A count, a size, a time. */
        NUMBER,
        /** A physical block, or its low part. */
        BLOCK,
        /** An inode. */
        INODE,
        /** Bits. */
        FLAGS
    }

    /** The number that stands in the structure at {@code off}, unsigned but for 8 bytes. */
    public long get(byte[] b, int off) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (b[off + at + i] & 0xFFL) << shift(i);
        }
        return value;
    }

    /** Stores the low bytes of {@code value}. */
    public void set(byte[] b, int off, long value) {
        for (int i = 0; i < bytes; i++) {
            b[off + at + i] = (byte) (value >>> shift(i));
        }
    }

    /** The greatest value, all bits set. */
    public long mask() {
        return bytes == 8 ? -1 : (1L << 8 * bytes) - 1;
    }

    private int shift(int i) {
        return 8 * (bigEndian ? bytes - 1 - i : i);
    }
}
