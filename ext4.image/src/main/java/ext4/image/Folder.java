// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An open directory on one side of a copy. What is in it is named by bytes and never through a symbolic link, so that
 * neither a hostile image nor a busy host can lead a copy astray. Belongs to one thread.
 */
abstract class Folder implements AutoCloseable {
    final Folder parent;
    private final byte[] label;

    /** @param label its name in {@code parent}; without parent the path that a caller named it by */
    Folder(Folder parent, byte[] label) {
        this.parent = parent;
        this.label = label;
    }

    /** The path of an entry, or of this directory for null, in words for messages. */
    String path(byte[] name) {
        Deque<String> names = new ArrayDeque<>();
        if (name != null) {
            names.push(ByteNames.decode(name));
        }
        for (Folder at = this; at != null; at = at.parent) {
            names.push(ByteNames.decode(at.label));
        }
        StringBuilder path = new StringBuilder(names.pop());
        for (String next : names) {
            if (!path.isEmpty() && path.charAt(path.length() - 1) != '/') {
                path.append('/');
            }
            path.append(next);
        }
        return path.toString();
    }

    /** This directory's name, or path, as bytes. */
    byte[] label() {
        return label;
    }

    /** The name of the next entry, "." and ".." left out; null at the end. */
    abstract byte[] next() throws IOException;

    /** This directory. */
    abstract Node self() throws IOException;

    /** This directory's attributes. */
    abstract Grip grip();

    /** An entry; null if there is none of that name. */
    abstract Node stat(byte[] name) throws IOException;

    /** Attributes of an entry that is neither a directory nor a regular file. */
    abstract Grip grip(byte[] name) throws IOException;

    abstract Folder enter(byte[] name) throws IOException;

    abstract Content read(byte[] name) throws IOException;

    abstract byte[] readlink(byte[] name) throws IOException;

    /** Makes a directory that only its owner may use, until its attributes are set. */
    abstract void mkdir(byte[] name) throws IOException;

    /** Makes a regular file that only its owner may use. */
    abstract Content create(byte[] name) throws IOException;

    abstract void symlink(byte[] name, byte[] target) throws IOException;

    /** Makes a fifo, socket or device node. */
    abstract void mknod(byte[] name, Node like) throws IOException;

    /** What {@link #link} finds an entry by, from any folder of the same copy. */
    abstract Object reference(byte[] name) throws IOException;

    abstract void link(Object reference, byte[] name) throws IOException;

    /** Removes an entry that is no directory. */
    abstract void remove(byte[] name) throws IOException;

    /** Releases what is scarce; nothing but {@link #unpark} is called until then. */
    void park() {}

    /** Undoes {@link #park} from a directory in this one. */
    void unpark(Folder child) throws IOException {}

    @Override
    public abstract void close();
}
