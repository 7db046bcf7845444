// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** The directories in order of their inode number, each with the parent that names it and the one that ".." names. */
final class DirTable {
    /** The directory's blocks cannot be trusted: it shares some, or its map is damaged. */
    static final int UNREADABLE = 1;
    /** The inode has the flag INDEX. */
    static final int INDEXED = 2;
    /** Proved to hang from the root. */
    static final int CONNECTED = 4;
    /** On the way that is followed just now. */
    static final int ON_WAY = 8;

    private int[] inodes = new int[64];
    private int[] parents = new int[64];
    private int[] dotDots = new int[64];
    private byte[] marks = new byte[64];
    private int size;

    /** Adds a directory; numbers come in rising (unsigned) order. */
    void add(int ino, int mark) {
        if (size == inodes.length) {
            int room = size + (size >>> 1);
            inodes = Arrays.copyOf(inodes, room);
            parents = Arrays.copyOf(parents, room);
            dotDots = Arrays.copyOf(dotDots, room);
            marks = Arrays.copyOf(marks, room);
        }
        inodes[size] = ino;
        marks[size] = (byte) mark;
        size++;
    }

    int size() {
        return size;
    }

    /** Position of a directory, or negative. */
    int find(int ino) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int order = Integer.compareUnsigned(inodes[middle], ino);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    int ino(int i) {
        return inodes[i];
    }

    int parent(int i) {
        return parents[i];
    }

    void setParent(int i, int ino) {
        parents[i] = ino;
    }

    int dotDot(int i) {
        return dotDots[i];
    }

    void setDotDot(int i, int ino) {
        dotDots[i] = ino;
    }

    boolean is(int i, int mark) {
        return (marks[i] & mark) != 0;
    }

    void mark(int i, int mark) {
        marks[i] |= (byte) mark;
    }

    void unmark(int i, int mark) {
        marks[i] &= (byte) ~mark;
    }
}
