// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;

/**
 * Operations on one area of directory entries: a block of a linear directory, a leaf of an indexed one, or one of the
 * two areas of an inline directory.
 *
 * <p>An area is {@code [from, end)} of an array. For a block {@code from} is 0 and {@code end} is
 * {@link DirTail#entriesEnd}. The caller holds the lock that guards the bytes; nothing is kept. Every method checks
 * each record it passes with {@link DirEntry#checkedEnd} and throws {@link FormatException}, so hostile bytes can't
 * make it loop or read past the array. After a change to a block with a tail call {@link DirTail#seal} before it is
 * written.
 *
 * <p>Reading all entries:
 * <pre>{@code
 * for (int at = DirBlock.firstUsed(b, 0, end, lblk); at < end;
 *         at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, lblk)) {
 *     use(DirEntry.inode(b, at), DirEntry.name(b, at));
 * }
 * }</pre>
 * {@code block}, in every method, is only the number that an exception names.
 */
public final class DirBlock {
    /** What {@link #findOrRoom} returns where there is neither the name nor room for it. */
    public static final int NEITHER = Integer.MIN_VALUE;

    private static final byte[] DOTS = {'.', '.'};

    private DirBlock() {}

    /**
     * Checks the whole area: the chain of records, and of each used entry the inode number, name length and name bytes.
     *
     * @param inodesCount s_inodes_count, unsigned
     */
    public static void validate(byte[] b, int from, int end, int inodesCount, long block) throws FormatException {
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            int ino = DirEntry.inode(b, at);
            if (ino != 0) {
                if (Integer.compareUnsigned(ino, inodesCount) > 0) {
                    throw new FormatException(
                            "directory entry",
                            block,
                            "inode at " + at,
                            ino & 0xFFFFFFFFL,
                            "at most " + Integer.toUnsignedString(inodesCount));
                }
                checkName(b, at, block);
            }
            at = next;
        }
    }

    private static void checkName(byte[] b, int at, long block) throws FormatException {
        int len = DirEntry.nameLen(b, at);
        if (len == 0) {
            throw new FormatException("directory entry", block, "name_len at " + at, 0, "at least 1");
        }
        int name = DirEntry.nameOffset(at);
        for (int i = name; i < name + len; i++) {
            if (b[i] == 0 || b[i] == '/') {
                throw new FormatException("directory entry", block, "name at " + at, b[i], "no NUL and no slash");
            }
        }
    }

    /** The offset of the first used entry at or after {@code at}, an entry's offset; {@code end} if there is none. */
    public static int firstUsed(byte[] b, int at, int end, long block) throws FormatException {
        int off = at;
        while (off < end) {
            int next = DirEntry.checkedEnd(b, off, end, block);
            if (DirEntry.inode(b, off) != 0) {
                return off;
            }
            off = next;
        }
        return end;
    }

    /** The offset of the used entry with this name, or -1. */
    public static int find(byte[] b, int from, int end, byte[] name, long block) throws FormatException {
        return find(b, from, end, name, 0, name.length, block);
    }

    /** The offset of the used entry named {@code name[nameOff, nameOff + nameLen)}, or -1. */
    public static int find(byte[] b, int from, int end, byte[] name, int nameOff, int nameLen, long block)
            throws FormatException {
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            if (DirEntry.nameEquals(b, at, name, nameOff, nameLen) && DirEntry.inode(b, at) != 0) {
                return at;
            }
            at = next;
        }
        return -1;
    }

    /**
     * Looks for a name and, on the way, for room for it: {@link #find} and {@link #findRoom} in one walk.
     *
     * @return the offset of the used entry with this name; else {@code ~offset}, negative, of the first record that can take
     *     the name; else {@link #NEITHER}
     */
    public static int findOrRoom(byte[] b, int from, int end, byte[] name, long block) throws FormatException {
        int need = DirEntry.size(name.length);
        int room = NEITHER;
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            if (DirEntry.nameEquals(b, at, name, 0, name.length) && DirEntry.inode(b, at) != 0) {
                return at;
            }
            if (room == NEITHER && next - at - usedSize(b, at) >= need) {
                room = ~at;
            }
            at = next;
        }
        return room;
    }

    /**
     * The offset of the first record that can take a new name of this length, free or by splitting its slack; -1 if
     * none.
     */
    public static int findRoom(byte[] b, int from, int end, int nameLen, long block) throws FormatException {
        int need = DirEntry.size(nameLen);
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            if (next - at - usedSize(b, at) >= need) {
                return at;
            }
            at = next;
        }
        return -1;
    }

    /**
     * Adds an entry. Doesn't look whether the name exists.
     *
     * @param fileType see {@link FileType#toStore}
     * @return the new entry's offset, or -1 (nothing changed) if there is no room
     */
    public static int insert(byte[] b, int from, int end, byte[] name, int ino, int fileType, long block)
            throws FormatException {
        int room = findRoom(b, from, end, name.length, block);
        if (room < 0) {
            return -1;
        }
        return insertAt(b, room, name, 0, name.length, ino, fileType);
    }

    /** Adds an entry in the record that {@link #findRoom} returned; returns the new entry's offset. */
    public static int insertAt(byte[] b, int room, byte[] name, int nameOff, int nameLen, int ino, int fileType) {
        int recLen = DirEntry.recLen(b, room);
        int used = usedSize(b, room);
        if (used > 0) {
            DirEntry.setRecLen(b, room, used);
        }
        DirEntry.write(b, room + used, recLen - used, ino, fileType, name, nameOff, nameLen);
        return room + used;
    }

    /**
     * Removes the entry at {@code off}: its record joins the one before; the first of the area becomes free instead.
     * The name's bytes are zeroed.
     *
     * @throws FormatException if no used entry begins there
     */
    public static void delete(byte[] b, int from, int end, int off, long block) throws FormatException {
        int before = -1;
        int at = from;
        while (at < off) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            before = at;
            at = next;
        }
        if (at != off || off >= end) {
            throw new FormatException("directory block", block, "entry offset", off, "the start of an entry");
        }
        int next = DirEntry.checkedEnd(b, off, end, block);
        DirEntry.wipe(b, off, next - off);
        if (before >= 0) {
            DirEntry.setRecLen(b, before, next - before);
            DirEntry.setRecLen(b, off, 0);
        }
    }

    /** Lets the entry at {@code off} point to another inode: rename over it, or a moved directory's "..". */
    public static void setTarget(byte[] b, int off, int ino, int fileType) {
        DirEntry.setInode(b, off, ino);
        DirEntry.setFileType(b, off, fileType);
    }

    /** Whether there is no used entry but "." and "..". */
    public static boolean isEmpty(byte[] b, int from, int end, long block) throws FormatException {
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            if (DirEntry.inode(b, at) != 0 && !DirEntry.isDot(b, at) && !DirEntry.isDotDot(b, at)) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /**
     * Where the entries after "." and ".." begin in the first block of a directory.
     *
     * @throws FormatException if the block doesn't begin with these two, in use
     */
    public static int afterDots(byte[] b, int end, long block) throws FormatException {
        int dotDot = DirEntry.checkedEnd(b, 0, end, block);
        if (!DirEntry.isDot(b, 0) || DirEntry.inode(b, 0) == 0) {
            throw new FormatException("directory block", block, "first entry", "another name", "\".\"");
        }
        int after = DirEntry.checkedEnd(b, dotDot, end, block);
        if (!DirEntry.isDotDot(b, dotDot) || DirEntry.inode(b, dotDot) == 0) {
            throw new FormatException("directory block", block, "second entry", "another name", "\"..\"");
        }
        return after;
    }

    /** The offset of ".." in a first block that {@link #afterDots} accepts. */
    public static int dotDot(byte[] b, int end, long block) throws FormatException {
        afterDots(b, end, block);
        return DirEntry.recLen(b, 0);
    }

    /**
     * Writes "." and ".." into a new directory's first block; the rest, up to {@code end}, is the slack of "..". The
     * caller zeroed the block and adds the tail with {@link DirTail#init}.
     *
     * @param fileType {@link FileType#DIRECTORY}, or 0 without the feature filetype
     */
    public static void initDots(byte[] b, int end, int self, int parent, int fileType) {
        DirEntry.write(b, 0, DirEntry.MIN_SIZE, self, fileType, DOTS, 0, 1);
        DirEntry.write(b, DirEntry.MIN_SIZE, end - DirEntry.MIN_SIZE, parent, fileType, DOTS, 0, 2);
    }

    /** Makes the area one free record. */
    public static void initEmpty(byte[] b, int from, int end) {
        DirEntry.writeFree(b, from, end - from);
    }

    /** Lets the last record of {@code [from, end)} reach to {@code newEnd}: an inline area that grows. */
    public static void extendLast(byte[] b, int from, int end, int newEnd, long block) throws FormatException {
        int last = from;
        for (int at = from; at < end; at = DirEntry.checkedEnd(b, at, end, block)) {
            last = at;
        }
        DirEntry.setRecLen(b, last, newEnd - last);
    }

    /** Bytes that the used entries need when packed. */
    public static int usedBytes(byte[] b, int from, int end, long block) throws FormatException {
        int sum = 0;
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            sum += usedSize(b, at);
            at = next;
        }
        return sum;
    }

    /** Bytes that a new entry could get at most without moving others: the largest gap. */
    public static int largestGap(byte[] b, int from, int end, long block) throws FormatException {
        int largest = 0;
        int at = from;
        while (at < end) {
            int next = DirEntry.checkedEnd(b, at, end, block);
            largest = Math.max(largest, next - at - usedSize(b, at));
            at = next;
        }
        return largest;
    }

    private static int usedSize(byte[] b, int at) {
        return DirEntry.inode(b, at) == 0 ? 0 : DirEntry.size(DirEntry.nameLen(b, at));
    }
}
