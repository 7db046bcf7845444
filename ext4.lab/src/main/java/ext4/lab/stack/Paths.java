// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/** The verbs by path: each call gives back the pins it took. */
public final class Paths {
    /** The root directory's inode. */
    public static final int ROOT = 2;

    private final FileSystem fs;

    /** Works on {@code fs}. */
    public Paths(FileSystem fs) {
        this.fs = fs;
    }

    /** A name as the verbs take it. */
    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** What stands before the last slash, "" for the root. */
    public static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    /** What stands behind the last slash. */
    public static byte[] nameOf(String path) {
        return bytes(path.substring(path.lastIndexOf('/') + 1));
    }

    /** Inode number, pinned once more; the caller forgets it. Null if a part of the path does not exist. */
    public Attributes lookup(String path) {
        Attributes found = new Attributes();
        int at = ROOT;
        if (path.isEmpty()) {
            fs.getattr(ROOT, found);
            return found;
        }
        for (String part : path.split("/")) {
            try {
                fs.lookup(at, bytes(part), found);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENOENT) {
                    throw e;
                }
                return null;
            } finally {
                forget(at);
            }
            at = found.ino;
        }
        return found;
    }

    /** As {@link #lookup}, for a path that exists. */
    public int need(String path) {
        Attributes found = lookup(path);
        if (found == null) {
            throw new AssertionError(path + " does not exist");
        }
        return found.ino;
    }

    /** Gives back one pin. */
    public void forget(int ino) {
        if (ino != ROOT) {
            fs.forget(ino, 1);
        }
    }

    /** The whole content, or null if there is no such path. */
    public byte[] read(String path) {
        Attributes found = lookup(path);
        if (found == null) {
            return null;
        }
        try {
            ByteBuffer content = ByteBuffer.allocate((int) found.size);
            while (content.hasRemaining() && fs.read(found.ino, content.position(), content) > 0) {
                // until the end
            }
            return content.array();
        } finally {
            forget(found.ino);
        }
    }

    /** Runs {@code work} on the inode of the parent directory. */
    public void inParent(String path, IntConsumer work) {
        int parent = need(parentOf(path));
        try {
            work.accept(parent);
        } finally {
            forget(parent);
        }
    }

    /** A new file; its inode stays pinned once. */
    public int create(String path) {
        Attributes made = new Attributes();
        inParent(path, parent -> fs.create(Credentials.ROOT, parent, nameOf(path), 0644, made));
        return made.ino;
    }

    /** Writes all of it. */
    public void writeAt(int ino, long offset, byte[] data) {
        ByteBuffer source = ByteBuffer.wrap(data);
        while (source.hasRemaining()) {
            fs.write(Credentials.ROOT, ino, offset + source.position(), source, 0);
        }
    }
}
