// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.Le;
import java.util.Arrays;

/**
 * Fields of one entry at byte {@code off}. They trust the offset: it comes from a list that {@link XattrList}
 * validated.
 */
public final class XattrEntry {
    /** Bytes before the name. */
    public static final int HEADER_SIZE = 16;

    /** Longest name, without the prefix that the index stands for. */
    public static final int MAX_NAME = 255;

    private static final int NAME_LEN = 0;
    private static final int NAME_INDEX = 1;
    private static final int VALUE_OFFS = 2;
    private static final int VALUE_INUM = 4;
    private static final int VALUE_SIZE = 8;
    private static final int HASH = 12;
    private static final int NAME = 16;

    private XattrEntry() {}

    /** Whether the list ends here. */
    public static boolean isEnd(byte[] b, int off) {
        return Le.i32(b, off) == 0;
    }

    public static int nameLen(byte[] b, int off) {
        return Le.u8(b, off + NAME_LEN);
    }

    /** Stands for a prefix: {@link XattrName}. */
    public static int nameIndex(byte[] b, int off) {
        return Le.u8(b, off + NAME_INDEX);
    }

    /** Where the name's bytes start. */
    public static int nameOffset(int off) {
        return off + NAME;
    }

    /** A copy of the name, without its prefix. */
    public static byte[] name(byte[] b, int off) {
        return Arrays.copyOfRange(b, off + NAME, off + NAME + nameLen(b, off));
    }

    /** Where the value stands, bytes from {@link XattrArea#base}; 0 if it has an inode or no bytes. */
    public static int valueOffs(byte[] b, int off) {
        return Le.u16(b, off + VALUE_OFFS);
    }

    /** The inode whose content is the value; 0 if the value is in the area. */
    public static int valueInum(byte[] b, int off) {
        return Le.i32(b, off + VALUE_INUM);
    }

    /** Bytes of the value, at most 2^24 in a validated list. */
    public static int valueSize(byte[] b, int off) {
        return Le.i32(b, off + VALUE_SIZE);
    }

    public static int hash(byte[] b, int off) {
        return Le.i32(b, off + HASH);
    }

    /** Bytes of an entry with a name of this length. */
    public static int size(int nameLen) {
        return NAME + nameLen + 3 & ~3;
    }

    /** Bytes that a value takes in the area. */
    public static int paddedSize(int valueSize) {
        return valueSize + 3 & ~3;
    }

    /** Whether the value has bytes in the area. */
    public static boolean hasValueInArea(byte[] b, int off) {
        return valueInum(b, off) == 0 && valueSize(b, off) != 0;
    }

    /** Orders an entry against a name as attribute blocks are sorted: index, length, bytes (unsigned). */
    public static int compare(byte[] b, int off, int index, byte[] name) {
        int byIndex = Integer.compare(nameIndex(b, off), index);
        if (byIndex != 0) {
            return byIndex;
        }
        int byLength = Integer.compare(nameLen(b, off), name.length);
        return byLength != 0
                ? byLength
                : Arrays.compareUnsigned(b, off + NAME, off + NAME + name.length, name, 0, name.length);
    }

    static int next(byte[] b, int off) {
        return off + size(nameLen(b, off));
    }

    static void write(byte[] b, int off, int index, byte[] name, int offs, int inum, int valueSize, int hash) {
        Le.put8(b, off + NAME_LEN, name.length);
        Le.put8(b, off + NAME_INDEX, index);
        Le.put16(b, off + VALUE_OFFS, offs);
        Le.put32(b, off + VALUE_INUM, inum);
        Le.put32(b, off + VALUE_SIZE, valueSize);
        Le.put32(b, off + HASH, hash);
        System.arraycopy(name, 0, b, off + NAME, name.length);
        Arrays.fill(b, off + NAME + name.length, off + size(name.length), (byte) 0);
    }

    static void setValueOffs(byte[] b, int off, int offs) {
        Le.put16(b, off + VALUE_OFFS, offs);
    }
}
