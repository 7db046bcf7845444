// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A tree from the top down, each directory before what is in it, at any depth. A directory that comes a second time is a
 * corrupt image's, which could keep a walk busy for ever. Belongs to one thread.
 */
final class TreeWalk implements Iterator<ImageEntry>, AutoCloseable {
    private record Level(int ino, String path, DirectoryCursor cursor) {}

    private final Session session;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final InodeSet seen = new InodeSet();
    private ImageEntry next;
    /** What {@link #next} is to be looked up by, if it is a directory still to be entered. */
    private byte[] enter;

    private String entering;

    /** Below what {@code path} leads to. */
    TreeWalk(Session session, String path) throws IOException {
        this.session = session;
        session.call(path, () -> {
            try (Place place = Place.existing(session.fs, ByteNames.encode(path), true)) {
                next = new ImageEntry(path, new ImageAttributes(session.attributes(place.ino)));
                if (place.isDirectory()) {
                    push(place.keep(), path);
                }
            }
            return null;
        });
    }

    private void push(int ino, String path) {
        levels.push(new Level(ino, path, new DirectoryCursor(session, ino, () -> path)));
        if (!seen.add(ino)) {
            throw new CorruptException(
                    "directory " + Integer.toUnsignedString(ino), -1, "number of names", "more than one", "one");
        }
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            try {
                advance();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return next != null;
    }

    @Override
    public ImageEntry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ImageEntry result = next;
        next = null;
        return result;
    }

    private void advance() throws IOException {
        if (enter != null) {
            descend();
        }
        while (next == null && !levels.isEmpty()) {
            Level level = levels.peek();
            DirectoryCursor.Item item = level.cursor.next();
            if (item == null) {
                session.forget(levels.pop().ino);
                continue;
            }
            String path = join(level.path, ByteNames.decode(item.name()));
            next = new ImageEntry(path, new ImageAttributes(item.attributes()));
            if (next.type() == FileType.DIRECTORY) {
                enter = item.name();
                entering = path;
            }
        }
    }

    /** Into the directory handed out last; nothing happens if it is gone by now. */
    private void descend() throws IOException {
        byte[] name = enter;
        String path = entering;
        enter = null;
        session.call(path, () -> {
            Attributes found = new Attributes();
            try {
                session.fs.lookup(levels.peek().ino, name, found);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENOENT) {
                    return null;
                }
                throw e;
            }
            if (FileType.of(found.mode) == FileType.DIRECTORY) {
                push(found.ino, path);
            } else {
                session.fs.forget(found.ino, 1);
            }
            return null;
        });
    }

    static String join(String directory, String name) {
        return directory.endsWith("/") || directory.isEmpty() ? directory + name : directory + "/" + name;
    }

    @Override
    public void close() {
        while (!levels.isEmpty()) {
            session.forget(levels.pop().ino);
        }
        next = null;
        enter = null;
    }
}
