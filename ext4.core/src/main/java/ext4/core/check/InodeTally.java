// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.FileMode;

/**
 * What must be remembered of each inode: its type, the links it says to have, the links that were counted. Memory is
 * taken for 1024 inodes at a time, when the first of them is found in use.
 */
final class InodeTally {
    /** In use, but of no known type. */
    static final int UNKNOWN_TYPE = 8;

    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MOST = 0xFFFF;

    private final byte[][] types;
    private final char[][] links;
    private final char[][] counted;

    InodeTally(int inodesCount) {
        int chunks = (int) (Integer.toUnsignedLong(inodesCount) + CHUNK >>> CHUNK_BITS) + 1;
        types = new byte[chunks][];
        links = new char[chunks][];
        counted = new char[chunks][];
    }

    /** Notes that an inode is in use. */
    void use(int ino, int mode, int linkCount) {
        int chunk = ino >>> CHUNK_BITS;
        if (types[chunk] == null) {
            types[chunk] = new byte[CHUNK];
            links[chunk] = new char[CHUNK];
        }
        int type = FileMode.directoryEntryType(mode);
        types[chunk][ino & CHUNK - 1] = (byte) (type == 0 ? UNKNOWN_TYPE : type);
        links[chunk][ino & CHUNK - 1] = (char) linkCount;
    }

    boolean used(int ino) {
        return type(ino) != 0;
    }

    /** 0 if not in use, 1 to 7 as in a directory entry, or {@link #UNKNOWN_TYPE}. */
    int type(int ino) {
        byte[] chunk = types[ino >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[ino & CHUNK - 1];
    }

    boolean isDirectory(int ino) {
        return type(ino) == FileMode.directoryEntryType(FileMode.S_IFDIR);
    }

    /** Links by the record. */
    int links(int ino) {
        char[] chunk = links[ino >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[ino & CHUNK - 1];
    }

    /** Counts a name of an inode; more than 65535 stay 65535. */
    void count(int ino) {
        int chunk = ino >>> CHUNK_BITS;
        if (counted[chunk] == null) {
            counted[chunk] = new char[CHUNK];
        }
        if (counted[chunk][ino & CHUNK - 1] < MOST) {
            counted[chunk][ino & CHUNK - 1]++;
        }
    }

    int counted(int ino) {
        char[] chunk = counted[ino >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[ino & CHUNK - 1];
    }

    /** The next inode in use from {@code ino} on and up to {@code last}, or 0. */
    int nextUsed(int ino, int last) {
        for (long at = Integer.toUnsignedLong(ino), end = Integer.toUnsignedLong(last); at <= end; ) {
            byte[] chunk = types[(int) (at >>> CHUNK_BITS)];
            if (chunk == null) {
                at = (at >>> CHUNK_BITS) + 1 << CHUNK_BITS;
            } else if (chunk[(int) at & CHUNK - 1] != 0) {
                return (int) at;
            } else {
                at++;
            }
        }
        return 0;
    }
}
