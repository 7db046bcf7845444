// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.Attributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** An inode in memory. Its own lock guards every field but ino. */
final class MemoryNode {
    /** A directory's entry. */
    record Entry(long cookie, String name, MemoryNode node) {}

    final int ino;
    int mode;
    int nlink = 1;
    int uid;
    int gid;
    int major;
    int minor;
    long pins;
    long atime;
    long mtime;
    long ctime;
    int size;
    byte[] data = {};
    MemoryNode parent;
    long lastCookie = 2;
    Map<String, Entry> names;
    TreeMap<Long, Entry> order;
    final Map<String, byte[]> xattrs = new HashMap<>();

    MemoryNode(int ino, int mode) {
        this.ino = ino;
        this.mode = mode;
        if ((mode & 0xF000) == 0x4000) {
            names = new HashMap<>();
            order = new TreeMap<>();
            nlink = 2;
        }
    }

    void put(String name, MemoryNode node) {
        Entry entry = new Entry(++lastCookie, name, node);
        names.put(name, entry);
        order.put(entry.cookie(), entry);
    }

    MemoryNode take(String name) {
        Entry entry = names.remove(name);
        order.remove(entry.cookie());
        return entry.node();
    }

    void resize(int newSize) {
        if (newSize > data.length) {
            data = Arrays.copyOf(data, Math.max(newSize, data.length * 2));
        } else if (newSize < size) {
            Arrays.fill(data, newSize, size, (byte) 0);
        }
        size = newSize;
    }

    void fill(Attributes a) {
        a.ino = ino;
        a.generation = 7;
        a.mode = mode;
        a.nlink = nlink;
        a.uid = uid;
        a.gid = gid;
        a.rdevMajor = major;
        a.rdevMinor = minor;
        a.size = size;
        a.sectors = (data.length + 511L) / 512;
        a.atime = atime;
        a.mtime = mtime;
        a.ctime = ctime;
        a.crtime = 1_000_000_000;
        a.flags = 0;
    }
}
