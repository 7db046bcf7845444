// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.FormatException;
import java.util.Arrays;

/**
 * Reads and changes the attributes of one area. Call {@link #validate} when the bytes enter memory (for an inode record
 * only if {@link XattrArea#isPresent}); everything else relies on it.
 *
 * <p>Changes happen in place: the caller holds the lock of the bytes, has copied a shared block, and afterwards seals
 * the inode, or calls {@link XattrBlock#rehash} and {@link XattrBlock#seal}. Names come without their prefix
 * ({@link XattrName}).
 *
 * <p>Reading all entries:
 * <pre>{@code
 * for (int at = XattrList.first(a, b); at >= 0; at = XattrList.next(a, b, at)) { ... }
 * }</pre>
 */
public final class XattrList {
    /** The largest value that the format takes, bytes. */
    public static final int MAX_VALUE = 1 << 24;

    private static final int TERMINATOR_SIZE = 4;

    private XattrList() {}

    /**
     * Checks the list: it ends inside the area; names have no NUL; values lie behind the list, inside the area, and
     * don't overlap.
     *
     * @param block where the bytes come from, for the evidence
     */
    public static void validate(XattrArea a, byte[] b, long block) throws FormatException {
        int end = validateNames(a, b, block);
        for (int at = a.first(); at < end; at = XattrEntry.next(b, at)) {
            int size = XattrEntry.valueSize(b, at);
            if (size < 0 || size > MAX_VALUE) {
                throw new FormatException("xattr entry", block, "e_value_size", size & 0xFFFFFFFFL, "at most 2^24");
            }
            if (XattrEntry.hasValueInArea(b, at)) {
                validateValue(a, b, at, end, block);
            }
        }
    }

    private static int validateNames(XattrArea a, byte[] b, long block) throws FormatException {
        if (!a.exists() || a.end() > b.length) {
            throw new FormatException("xattr list", block, "size", a.size(), "room for a list");
        }
        int at = a.first();
        while (!XattrEntry.isEnd(b, at)) {
            int next = XattrEntry.next(b, at);
            if (next > a.end() - TERMINATOR_SIZE) {
                throw new FormatException(
                        "xattr entry", block, "end of entry at " + at, next, "at most " + (a.end() - TERMINATOR_SIZE));
            }
            int name = XattrEntry.nameOffset(at);
            for (int i = name; i < name + XattrEntry.nameLen(b, at); i++) {
                if (b[i] == 0) {
                    throw new FormatException("xattr entry", block, "e_name at " + at, 0, "no NUL");
                }
            }
            at = next;
        }
        return at;
    }

    private static void validateValue(XattrArea a, byte[] b, int at, int listEnd, long block) throws FormatException {
        int from = valueStart(a, b, at);
        int to = from + XattrEntry.paddedSize(XattrEntry.valueSize(b, at));
        if (from < listEnd + TERMINATOR_SIZE || to > a.end()) {
            throw new FormatException(
                    "xattr entry",
                    block,
                    "e_value_offs at " + at,
                    XattrEntry.valueOffs(b, at),
                    "value between list and end of area");
        }
        for (int other = a.first(); other < at; other = XattrEntry.next(b, other)) {
            int otherFrom = valueStart(a, b, other);
            int otherTo = otherFrom + XattrEntry.paddedSize(XattrEntry.valueSize(b, other));
            if (XattrEntry.hasValueInArea(b, other) && from < otherTo && otherFrom < to) {
                throw new FormatException(
                        "xattr entry", block, "e_value_offs at " + at, XattrEntry.valueOffs(b, at), "no overlap");
            }
        }
    }

    /** The first entry's offset, or -1 if the list is empty. */
    public static int first(XattrArea a, byte[] b) {
        return XattrEntry.isEnd(b, a.first()) ? -1 : a.first();
    }

    /** The offset of the entry after {@code at}, or -1. */
    public static int next(XattrArea a, byte[] b, int at) {
        int next = XattrEntry.next(b, at);
        return next > a.end() - TERMINATOR_SIZE || XattrEntry.isEnd(b, next) ? -1 : next;
    }

    /** The offset of the entry with this index and name, or -1. Looks at all entries, sorted or not. */
    public static int find(XattrArea a, byte[] b, int index, byte[] name) {
        for (int at = first(a, b); at >= 0; at = next(a, b, at)) {
            if (XattrEntry.compare(b, at, index, name) == 0) {
                return at;
            }
        }
        return -1;
    }

    /** Where the value of an entry begins in the array. */
    public static int valueStart(XattrArea a, byte[] b, int at) {
        return a.base() + XattrEntry.valueOffs(b, at);
    }

    /** A copy of the value of an entry that has no inode for it. */
    public static byte[] value(XattrArea a, byte[] b, int at) {
        int from = valueStart(a, b, at);
        int size = XattrEntry.valueSize(b, at);
        return size == 0 ? new byte[0] : Arrays.copyOfRange(b, from, from + size);
    }

    /** Bytes that a new entry and its value may take together. */
    public static int freeBytes(XattrArea a, byte[] b) {
        return lowestValue(a, b) - listEnd(a, b) - TERMINATOR_SIZE;
    }

    /** The bytes that an entry and its value take. */
    public static int need(int nameLen, int valueSize) {
        return XattrEntry.size(nameLen) + XattrEntry.paddedSize(valueSize);
    }

    /**
     * Sets an attribute, replacing what has this name. The entry hash is made where the area has hashes.
     *
     * @return false (nothing changed) if it doesn't fit
     */
    public static boolean set(XattrArea a, byte[] b, int index, byte[] name, byte[] value) {
        if (!makeRoom(a, b, index, name, value.length)) {
            return false;
        }
        int hash = a.inBlock() ? XattrHash.of(name, value) : 0;
        int offs = 0;
        if (value.length > 0) {
            int padded = XattrEntry.paddedSize(value.length);
            int start = lowestValue(a, b) - padded;
            System.arraycopy(value, 0, b, start, value.length);
            Arrays.fill(b, start + value.length, start + padded, (byte) 0);
            offs = start - a.base();
        }
        insert(a, b, index, name, offs, 0, value.length, hash);
        return true;
    }

    /**
     * Sets an attribute whose value is the content of an inode, replacing what has this name.
     *
     * @param hash from {@link XattrHash#ofInodeValue}
     * @return false (nothing changed) if the entry doesn't fit
     */
    public static boolean setInode(
            XattrArea a, byte[] b, int index, byte[] name, int valueInum, int valueSize, int hash) {
        if (!makeRoom(a, b, index, name, 0)) {
            return false;
        }
        insert(a, b, index, name, 0, valueInum, valueSize, hash);
        return true;
    }

    /** Removes an attribute; whether it was there. */
    public static boolean remove(XattrArea a, byte[] b, int index, byte[] name) {
        int at = find(a, b, index, name);
        if (at >= 0) {
            removeAt(a, b, at);
        }
        return at >= 0;
    }

    /** Whether {@link #set} would succeed with a value of this size. */
    public static boolean fits(XattrArea a, byte[] b, int index, byte[] name, int valueSize) {
        int old = find(a, b, index, name);
        int freed = old < 0 ? 0 : XattrEntry.size(name.length) + areaBytes(b, old);
        return need(name.length, valueSize) <= freeBytes(a, b) + freed;
    }

    private static boolean makeRoom(XattrArea a, byte[] b, int index, byte[] name, int valueSize) {
        if (name.length > XattrEntry.MAX_NAME) {
            throw new IllegalArgumentException("name of " + name.length + " bytes");
        }
        if (!fits(a, b, index, name, valueSize)) {
            return false;
        }
        remove(a, b, index, name);
        return true;
    }

    private static void insert(
            XattrArea a, byte[] b, int index, byte[] name, int offs, int inum, int valueSize, int hash) {
        int listEnd = listEnd(a, b);
        int at = a.first();
        while (at < listEnd && (!a.inBlock() || XattrEntry.compare(b, at, index, name) < 0)) {
            at = XattrEntry.next(b, at);
        }
        int size = XattrEntry.size(name.length);
        System.arraycopy(b, at, b, at + size, listEnd - at);
        Arrays.fill(b, listEnd + size, listEnd + size + TERMINATOR_SIZE, (byte) 0);
        XattrEntry.write(b, at, index, name, offs, inum, valueSize, hash);
    }

    private static void removeAt(XattrArea a, byte[] b, int at) {
        if (XattrEntry.hasValueInArea(b, at)) {
            removeValue(a, b, at);
        }
        int listEnd = listEnd(a, b);
        int next = XattrEntry.next(b, at);
        System.arraycopy(b, next, b, at, listEnd - next);
        Arrays.fill(b, at + listEnd - next, listEnd, (byte) 0);
    }

    /**
     * Moves the values below a value up over it, so that free space stays in one piece; the bytes freed become zero.
     */
    private static void removeValue(XattrArea a, byte[] b, int at) {
        int from = valueStart(a, b, at);
        int size = areaBytes(b, at);
        int lowest = lowestValue(a, b);
        System.arraycopy(b, lowest, b, lowest + size, from - lowest);
        Arrays.fill(b, lowest, lowest + size, (byte) 0);
        int limit = XattrEntry.valueOffs(b, at);
        for (int other = first(a, b); other >= 0; other = next(a, b, other)) {
            int offs = XattrEntry.valueOffs(b, other);
            if (XattrEntry.hasValueInArea(b, other) && offs < limit) {
                XattrEntry.setValueOffs(b, other, offs + size);
            }
        }
    }

    private static int areaBytes(byte[] b, int at) {
        return XattrEntry.hasValueInArea(b, at) ? XattrEntry.paddedSize(XattrEntry.valueSize(b, at)) : 0;
    }

    private static int listEnd(XattrArea a, byte[] b) {
        int at = a.first();
        while (!XattrEntry.isEnd(b, at)) {
            at = XattrEntry.next(b, at);
        }
        return at;
    }

    private static int lowestValue(XattrArea a, byte[] b) {
        int lowest = a.end();
        for (int at = first(a, b); at >= 0; at = next(a, b, at)) {
            if (XattrEntry.hasValueInArea(b, at)) {
                lowest = Math.min(lowest, valueStart(a, b, at));
            }
        }
        return lowest;
    }
}
