// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.lab.load.Description;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** What an inode must look like. */
final class Node {
    static final int DIRECTORY = 0040000;
    static final int REGULAR = 0100000;
    static final int LINK = 0120000;
    static final int FIFO = 0010000;

    private static final byte[] NOTHING = {};

    final int type;
    int permissions;
    int uid;
    int gid;
    /** Names that it has; of a directory 1 until it is removed. */
    int links;
    /** 0 until it was looked at. */
    long ino;
    /** Of a regular file. */
    byte[] content = NOTHING;
    /** Of a symbolic link. */
    String target;

    final SortedMap<String, byte[]> xattrs = new TreeMap<>();
    /** Whether the modification time is the one that was set. */
    boolean timeKnown;

    long seconds;
    int nanos;
    /** Of a directory. */
    final SortedMap<String, Node> children = new TreeMap<>();
    /** Of a directory: where it is, null for the root and for a removed one. */
    Node parent;

    String name;

    Node(int type, int permissions) {
        this.type = type;
        this.permissions = permissions;
    }

    boolean isDirectory() {
        return type == DIRECTORY;
    }

    /** Whether this directory is {@code other} or lies above it. */
    boolean holds(Node other) {
        for (Node at = other; at != null; at = at.parent) {
            if (at == this) {
                return true;
            }
        }
        return false;
    }

    /** Content or entries have changed. */
    void modified() {
        timeKnown = false;
    }

    /** As a write of {@code bytes} at {@code offset}. */
    void write(int offset, byte[] bytes) {
        if (offset + bytes.length > content.length) {
            content = Arrays.copyOf(content, offset + bytes.length);
        }
        System.arraycopy(bytes, 0, content, offset, bytes.length);
        modified();
    }

    /** As chown(2) of what is no directory. */
    void dropSetId() {
        if (type == REGULAR || type == FIFO) {
            permissions &= ~04000;
            if ((permissions & 02010) == 02010) {
                permissions &= ~02000;
            }
        }
    }

    private int subdirectories() {
        int count = 0;
        for (Node child : children.values()) {
            count += child.isDirectory() ? 1 : 0;
        }
        return count;
    }

    String description() {
        Description text = new Description(type | permissions, uid, gid);
        text.links(isDirectory() ? 2 + subdirectories() : links);
        text.number(ino);
        switch (type) {
            case REGULAR -> text.content(content, content.length);
            case DIRECTORY -> text.entries(children.keySet());
            case LINK -> text.target(target);
            default -> {} // nothing more
        }
        text.xattrs(xattrs);
        if (timeKnown) {
            text.modified(seconds, nanos);
        }
        return text.toString();
    }
}
