// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Where a path leads: a directory, the last name in it, and what has that name, if anything. What it holds stays pinned
 * until it is closed. The directories on the way are kept, so {@code ..} is the one we came through and never leads out.
 */
final class Place implements AutoCloseable {
    /** Most symbolic links in one path, as in path_resolution(7). */
    static final int MAX_LINKS = 40;

    private final FileSystem fs;
    private final List<Integer> way = new ArrayList<>();
    private final Deque<byte[]> rest = new ArrayDeque<>();
    private int links;
    private int kept;

    /** The last name; null where the path ends at a directory by other means: the root, "." or "..". */
    byte[] name;
    /** What has that name, 0 if nothing. */
    int ino;
    /** Its attributes. */
    final Attributes attributes = new Attributes();
    /** The path ends in a slash, so it can only be a directory's. */
    boolean directoryOnly;

    private Place(FileSystem fs) {
        this.fs = fs;
        way.add(Session.ROOT);
    }

    /**
     * Follows a path. Called inside the door.
     *
     * @param follow whether the last name is followed if it is a symbolic link
     * @throws ErrnoException ENOENT for a missing directory on the way (not for a missing last name), ENOTDIR, ELOOP
     */
    static Place find(FileSystem fs, byte[] path, boolean follow) {
        Place place = new Place(fs);
        boolean found = false;
        try {
            place.push(path);
            place.directoryOnly = endsInSlash(path);
            place.walk(follow);
            found = true;
            return place;
        } finally {
            if (!found) {
                place.close();
            }
        }
    }

    /** As {@link #find}; ENOENT if nothing has the last name. */
    static Place existing(FileSystem fs, byte[] path, boolean follow) {
        Place place = find(fs, path, follow);
        if (place.ino == 0) {
            place.close();
            throw ErrnoException.of(Errno.ENOENT);
        }
        return place;
    }

    /** The directory that holds the last name. */
    int directory() {
        return way.getLast();
    }

    boolean exists() {
        return ino != 0;
    }

    /** The last name, where one is needed: {@code otherwise} if the path ends without. */
    byte[] requireName(Errno otherwise) {
        if (name == null) {
            throw ErrnoException.of(otherwise);
        }
        return name;
    }

    /** Numbers of the directories from the root to the one that holds the last name. */
    List<Integer> way() {
        return way;
    }

    /** Lets the caller keep the pin of {@link #ino}. */
    int keep() {
        kept = ino;
        return ino;
    }

    private void walk(boolean follow) {
        while (!rest.isEmpty()) {
            byte[] next = rest.pop();
            boolean last = rest.isEmpty();
            if (isDot(next)) {
                continue;
            }
            if (isDotDot(next)) {
                up();
            } else if (!lookup(next, last)) {
                return;
            } else if (isSymlink() && (!last || follow || directoryOnly)) {
                expand(last);
            } else if (last) {
                name = next;
                checkType();
                return;
            } else {
                descend();
            }
        }
        ino = way.getLast();
        fs.getattr(ino, attributes);
    }

    /** Whether the name exists; the last one needn't. */
    private boolean lookup(byte[] next, boolean last) {
        try {
            fs.lookup(way.getLast(), next, attributes);
        } catch (ErrnoException e) {
            if (last && e.errno() == Errno.ENOENT) {
                name = next;
                return false;
            }
            throw e;
        }
        ino = attributes.ino;
        return true;
    }

    private void descend() {
        if (!isDirectory()) {
            throw ErrnoException.of(Errno.ENOTDIR);
        }
        way.add(ino);
        ino = 0;
    }

    private void checkType() {
        if (directoryOnly && !isDirectory()) {
            throw ErrnoException.of(Errno.ENOTDIR);
        }
    }

    private void up() {
        if (way.size() > 1) {
            forget(way.removeLast());
        }
    }

    private void expand(boolean last) {
        if (++links > MAX_LINKS) {
            throw ErrnoException.of(Errno.ELOOP);
        }
        byte[] target = fs.readlink(ino);
        forget(ino);
        ino = 0;
        if (target.length == 0) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (target[0] == '/') {
            while (way.size() > 1) {
                up();
            }
        }
        directoryOnly |= last && endsInSlash(target);
        push(target);
    }

    private void push(byte[] path) {
        int end = path.length;
        for (int at = path.length - 1; at >= -1; at--) {
            if (at < 0 || path[at] == '/') {
                if (end > at + 1) {
                    rest.push(Arrays.copyOfRange(path, at + 1, end));
                }
                end = at;
            }
        }
    }

    boolean isDirectory() {
        return (attributes.mode & FileType.MASK) == FileType.DIRECTORY.bits();
    }

    boolean isSymlink() {
        return (attributes.mode & FileType.MASK) == FileType.SYMLINK.bits();
    }

    boolean isRegular() {
        return (attributes.mode & FileType.MASK) == FileType.REGULAR.bits();
    }

    private static boolean endsInSlash(byte[] path) {
        return path.length > 0 && path[path.length - 1] == '/';
    }

    private static boolean isDot(byte[] name) {
        return name.length == 1 && name[0] == '.';
    }

    private static boolean isDotDot(byte[] name) {
        return name.length == 2 && name[0] == '.' && name[1] == '.';
    }

    private void forget(int number) {
        if (number != Session.ROOT && number != 0) {
            fs.forget(number, 1);
        }
    }

    @Override
    public void close() {
        boolean pinned = name != null || !way.getLast().equals(ino);
        if (pinned && ino != kept) {
            forget(ino);
        }
        ino = 0;
        while (way.size() > 1) {
            int last = way.removeLast();
            if (last != kept) {
                forget(last);
            }
        }
    }
}
