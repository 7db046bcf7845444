// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;
import ext4.format.Le;
import java.util.Arrays;

/**
 * One entry of a directory block: u32 inode (0 = free), u16 rec_len, u8 name_len, u8 file_type, then the name.
 *
 * <p>Accessors take the block and the entry's byte offset in it. They trust the offset: get one from {@link DirBlock}
 * or pass {@link #checkedEnd} first. Inode numbers are unsigned.
 */
public final class DirEntry {
    /** Bytes before the name. */
    public static final int HEADER_SIZE = 8;

    /** Size of the smallest entry, bytes. */
    public static final int MIN_SIZE = 12;

    /** Longest name, bytes. */
    public static final int MAX_NAME = 255;

    private static final int INODE = 0;
    private static final int REC_LEN = 4;
    private static final int NAME_LEN = 6;
    private static final int FILE_TYPE = 7;
    private static final int NAME = 8;
    private static final int WHOLE_64K = 65536;

    private DirEntry() {}

    public static int inode(byte[] b, int off) {
        return Le.i32(b, off + INODE);
    }

    /**
     * The distance to the next entry, bytes. In blocks of 64 KiB 0 and 65535 stand for 65536; and the low two bits,
     * unused in a multiple of four, would be bits 16 and 17. In smaller blocks such values exceed the block, which
     * every check reports.
     */
    public static int recLen(byte[] b, int off) {
        int raw = Le.u16(b, off + REC_LEN);
        if (raw == 0 || raw == 0xFFFF) {
            return WHOLE_64K;
        }
        return raw & 0xFFFC | (raw & 3) << 16;
    }

    /** The length of the name, bytes. Without the feature filetype the byte behind it is its high half, always 0. */
    public static int nameLen(byte[] b, int off) {
        return Le.u8(b, off + NAME_LEN);
    }

    /** One of {@link FileType}; 0 without the feature filetype. */
    public static int fileType(byte[] b, int off) {
        return Le.u8(b, off + FILE_TYPE);
    }

    /** Where the name's bytes start. */
    public static int nameOffset(int off) {
        return off + NAME;
    }

    /** A copy of the name. */
    public static byte[] name(byte[] b, int off) {
        return Arrays.copyOfRange(b, off + NAME, off + NAME + nameLen(b, off));
    }

    /** The bytes that an entry with a name of this length needs: a multiple of four. */
    public static int size(int nameLen) {
        return HEADER_SIZE + nameLen + 3 & ~3;
    }

    public static boolean nameEquals(byte[] b, int off, byte[] name, int nameOff, int nameLen) {
        // names of one directory often have the same length and differ at their end
        return nameLen(b, off) == nameLen
                && nameLen > 0
                && b[off + NAME + nameLen - 1] == name[nameOff + nameLen - 1]
                && Arrays.equals(b, off + NAME, off + NAME + nameLen, name, nameOff, nameOff + nameLen);
    }

    /** Whether the name is "." */
    public static boolean isDot(byte[] b, int off) {
        return nameLen(b, off) == 1 && b[off + NAME] == '.';
    }

    /** Whether the name is ".." */
    public static boolean isDotDot(byte[] b, int off) {
        return nameLen(b, off) == 2 && b[off + NAME] == '.' && b[off + NAME + 1] == '.';
    }

    /** Orders two names by their bytes, unsigned; a prefix comes first. */
    public static int compareNames(byte[] a, int aOff, byte[] b, int bOff) {
        return Arrays.compareUnsigned(
                a, aOff + NAME, aOff + NAME + nameLen(a, aOff), b, bOff + NAME, bOff + NAME + nameLen(b, bOff));
    }

    public static void setInode(byte[] b, int off, int ino) {
        Le.put32(b, off + INODE, ino);
    }

    /** Stores a distance of up to 65536 bytes; 65536 is written as 65535. */
    public static void setRecLen(byte[] b, int off, int recLen) {
        Le.put16(b, off + REC_LEN, recLen == WHOLE_64K ? 0xFFFF : recLen);
    }

    public static void setFileType(byte[] b, int off, int fileType) {
        Le.put8(b, off + FILE_TYPE, fileType);
    }

    /** Writes a whole entry, with the padding behind the name zeroed as far as {@link #size} reaches. */
    public static void write(
            byte[] b, int off, int recLen, int ino, int fileType, byte[] name, int nameOff, int nameLen) {
        setInode(b, off, ino);
        setRecLen(b, off, recLen);
        Le.put8(b, off + NAME_LEN, nameLen);
        setFileType(b, off, fileType);
        System.arraycopy(name, nameOff, b, off + NAME, nameLen);
        int used = Math.min(size(nameLen), recLen);
        Arrays.fill(b, off + NAME + nameLen, off + used, (byte) 0);
    }

    /** Writes a free entry without a name. */
    static void writeFree(byte[] b, int off, int recLen) {
        setInode(b, off, 0);
        setRecLen(b, off, recLen);
        Le.put8(b, off + NAME_LEN, 0);
        setFileType(b, off, 0);
    }

    /** Zeroes all but the length of a record, so that a deleted name doesn't stay readable on the device. */
    static void wipe(byte[] b, int off, int recLen) {
        setInode(b, off, 0);
        Arrays.fill(b, off + NAME_LEN, off + recLen, (byte) 0);
    }

    /**
     * Checks one entry and returns where the next begins. After this every accessor on {@code off} is safe, and a
     * walk that uses it ends: each step is at least {@link #MIN_SIZE} and stays in {@code [off, end]}.
     *
     * @param end where the entries of this area end, at most {@code b.length}
     * @param block number for the evidence
     * @throws FormatException if the length is unaligned, too small for the name or leaves the area, or leaves a rest
     *     that can hold no entry
     */
    public static int checkedEnd(byte[] b, int off, int end, long block) throws FormatException {
        if (off >= 0 && end <= b.length && end - off >= MIN_SIZE) {
            // both lengths at once: this is the step of every search in a directory
            int lengths = Le.i32(b, off + REC_LEN);
            int recLen = lengths & 0xFFFF;
            int rest = end - off - recLen;
            if ((recLen & 3) == 0
                    && recLen >= MIN_SIZE
                    && recLen >= HEADER_SIZE + (lengths >>> 16 & 0xFF)
                    && (rest == 0 || rest >= MIN_SIZE)) {
                return off + recLen;
            }
        }
        return checkedEndOrEvidence(b, off, end, block);
    }

    private static int checkedEndOrEvidence(byte[] b, int off, int end, long block) throws FormatException {
        if (off < 0 || end > b.length || end - off < MIN_SIZE) {
            throw new FormatException("directory entry", block, "offset", off, "at most " + (end - MIN_SIZE));
        }
        int recLen = recLen(b, off);
        int rest = end - off - recLen;
        if ((recLen & 3) != 0 || recLen < size(nameLen(b, off)) || recLen < MIN_SIZE) {
            throw new FormatException(
                    "directory entry", block, "rec_len at " + off, recLen, "a multiple of 4, at least 12 and the name");
        }
        if (rest < 0 || rest > 0 && rest < MIN_SIZE) {
            throw new FormatException(
                    "directory entry", block, "rec_len at " + off, recLen, "to end at or 12 bytes before " + end);
        }
        return off + recLen;
    }
}
