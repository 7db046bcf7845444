// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/** The entries of a directory, a batch at a time; "." and ".." left out. Belongs to one thread. */
final class DirectoryCursor {
    /** A name and what has it. */
    record Item(byte[] name, Attributes attributes) {}

    private static final int BATCH = 128;

    private final Session session;
    private final int ino;
    private final Supplier<String> path;
    private final Deque<Item> batch = new ArrayDeque<>();
    private long cookie;
    private boolean atEnd;

    /** Of a directory that the caller keeps pinned. */
    DirectoryCursor(Session session, int ino, Supplier<String> path) {
        this.session = session;
        this.ino = ino;
        this.path = path;
    }

    /** The next entry, not pinned; null at the end. */
    Item next() throws IOException {
        while (batch.isEmpty() && !atEnd) {
            session.call(path, () -> {
                fill();
                return null;
            });
        }
        return batch.poll();
    }

    private void fill() {
        int[] taken = new int[1];
        try {
            session.fs.readdirplus(ino, cookie, (next, attributes, name, offset, length) -> {
                if (taken[0] == BATCH) {
                    return false;
                }
                taken[0]++;
                cookie = next;
                add(attributes, Arrays.copyOfRange(name, offset, offset + length));
                return true;
            });
        } finally {
            for (Item item : batch) {
                if (item.attributes.nlink != 0 && item.attributes.ino != Session.ROOT) {
                    session.fs.forget(item.attributes.ino, 1);
                }
            }
        }
        for (Item item : batch) {
            check(item.name);
        }
        atEnd = taken[0] < BATCH;
    }

    private void add(Attributes attributes, byte[] name) {
        boolean dots = name.length == 1 && name[0] == '.' || name.length == 2 && name[0] == '.' && name[1] == '.';
        if (!dots) {
            batch.add(new Item(name, copy(attributes)));
        }
    }

    /** A name with a slash or NUL could pass for a path; the kernel refuses to list such a directory too. */
    private void check(byte[] name) {
        boolean good = name.length > 0;
        for (byte b : name) {
            good &= b != '/' && b != 0;
        }
        if (!good) {
            batch.clear();
            throw new CorruptException(
                    "directory " + Integer.toUnsignedString(ino),
                    -1,
                    "name of an entry",
                    '"' + ByteNames.escapeForMessage(ByteNames.decode(name)) + '"',
                    "one without slash and NUL");
        }
    }

    private static Attributes copy(Attributes a) {
        Attributes to = new Attributes();
        to.ino = a.ino;
        to.generation = a.generation;
        to.mode = a.mode;
        to.nlink = a.nlink;
        to.uid = a.uid;
        to.gid = a.gid;
        to.rdevMajor = a.rdevMajor;
        to.rdevMinor = a.rdevMinor;
        to.size = a.size;
        to.sectors = a.sectors;
        to.atime = a.atime;
        to.atimeNanos = a.atimeNanos;
        to.mtime = a.mtime;
        to.mtimeNanos = a.mtimeNanos;
        to.ctime = a.ctime;
        to.ctimeNanos = a.ctimeNanos;
        to.crtime = a.crtime;
        to.crtimeNanos = a.crtimeNanos;
        to.flags = a.flags;
        return to;
    }
}
