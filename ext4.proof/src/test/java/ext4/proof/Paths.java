// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The verbs by path, for tests: each call gives back the pins it took. */
final class Paths {
    static final int ROOT = 2;
    private final FileSystem fs;

    Paths(FileSystem fs) {
        this.fs = fs;
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    static byte[] nameOf(String path) {
        return bytes(path.substring(path.lastIndexOf('/') + 1));
    }

    /** Inode number, pinned once more; the caller forgets it. Null if a part of the path does not exist. */
    Attributes lookup(String path) {
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
    int need(String path) {
        Attributes found = lookup(path);
        if (found == null) {
            throw new AssertionError(path + " does not exist");
        }
        return found.ino;
    }

    void forget(int ino) {
        if (ino != ROOT) {
            fs.forget(ino, 1);
        }
    }

    /** The whole content, or null if there is no such path. */
    byte[] read(String path) {
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
    void inParent(String path, java.util.function.IntConsumer work) {
        int parent = need(parentOf(path));
        try {
            work.accept(parent);
        } finally {
            forget(parent);
        }
    }

    /** A new file; its inode stays pinned once. */
    int create(String path) {
        Attributes made = new Attributes();
        inParent(path, parent -> fs.create(Credentials.ROOT, parent, nameOf(path), 0644, made));
        return made.ino;
    }

    void writeAt(int ino, long offset, byte[] data) {
        ByteBuffer source = ByteBuffer.wrap(data);
        while (source.hasRemaining()) {
            fs.write(Credentials.ROOT, ino, offset + source.position(), source, 0);
        }
    }
}
