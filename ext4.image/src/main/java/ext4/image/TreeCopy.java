// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies trees between folders, at any depth without recursion. An existing file is replaced by a new one, an existing
 * directory is merged with. Hard links are kept among all that one object copies. Belongs to one thread.
 */
final class TreeCopy implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    /** Levels whose folders stay open; a descriptor each and side. */
    private static final int OPEN_LEVELS = 64;

    private record Key(long dev, long ino) {}

    private record Level(Folder from, Folder to, Node node, boolean fresh) {}

    private final Copying how;
    private final CopyListener listener;
    private final Attire attire;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
    private final List<Level> levels = new ArrayList<>();
    private final Map<Key, Object> links = new HashMap<>();
    private final Set<Key> aboveTarget = new HashSet<>();
    /** Directories of an image that were copied: each has one name, or a corrupt image could keep a copy busy for ever. */
    private final Map<Long, InodeSet> seen = new HashMap<>();

    TreeCopy(Copying how, CopyListener listener) {
        this.how = how;
        this.listener = listener;
        this.attire = new Attire(how, listener);
    }

    /** The target lies in these directories, so none of them can be copied there. */
    void targetIsBelow(Node directory) {
        aboveTarget.add(new Key(directory.dev(), directory.ino()));
    }

    /** Copies one entry and what is below. */
    void copy(Folder from, byte[] name, Folder to, byte[] as) throws IOException {
        attempt(from, name, to, as);
        run();
    }

    /** Copies what is in a directory, and its attributes; folders without a parent stay the caller's. */
    void copyContents(Folder from, Folder to, boolean fresh) throws IOException {
        try {
            Node node = from.self();
            refuseAboveTarget(from, null, node);
            push(from, to, node, fresh);
        } catch (IOException e) {
            close(new Level(from, to, null, fresh));
            failed(e);
        }
        run();
    }

    private void run() throws IOException {
        while (!levels.isEmpty()) {
            Level level = levels.getLast();
            byte[] name = null;
            try {
                name = level.from.next();
            } catch (IOException e) {
                failed(e); // what of the directory can't be read is left out
            }
            if (name != null) {
                attempt(level.from, name, level.to, name);
            } else {
                pop();
            }
        }
    }

    private void attempt(Folder from, byte[] name, Folder to, byte[] as) throws IOException {
        try {
            one(from, name, to, as);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException e) throws IOException {
        if (Errors.isFatal(e)) {
            throw e;
        }
        listener.failed(e);
    }

    private void one(Folder from, byte[] name, Folder to, byte[] as) throws IOException {
        listener.began(from.path(name));
        Node node = from.stat(name);
        if (node == null) {
            throw new NoSuchFileException(from.path(name));
        }
        Node old = to.stat(as);
        if (old != null && old.isSame(node)) {
            throw new FileSystemException(to.path(as), null, "is the same file as the source");
        }
        if (node.isDirectory()) {
            directory(from, name, node, to, as, old);
            return;
        }
        if (old != null) {
            makeRoom(to, as, old);
        }
        if (!linked(node, to, as)) {
            leaf(from, name, node, to, as);
            if (how.archive() && node.nlink() > 1) {
                links.put(new Key(node.dev(), node.ino()), to.reference(as));
            }
        }
    }

    private static void makeRoom(Folder to, byte[] as, Node old) throws IOException {
        switch (old.type()) {
            case REGULAR, SYMLINK -> to.remove(as);
            case DIRECTORY ->
                throw new FileSystemException(to.path(as), null, "is a directory and is not replaced by a file");
            default -> throw new FileSystemException(to.path(as), null, "exists and is not a regular file");
        }
    }

    /** Whether the file was copied before, under another name, and is linked to that; too many links make a new copy. */
    private boolean linked(Node node, Folder to, byte[] as) throws IOException {
        Object reference = links.get(new Key(node.dev(), node.ino()));
        if (reference == null) {
            return false;
        }
        try {
            to.link(reference, as);
            return true;
        } catch (FileSystemException e) {
            if (Errno.EMLINK.text().equals(e.getReason())) {
                return false;
            }
            throw e;
        }
    }

    private void directory(Folder from, byte[] name, Node node, Folder to, byte[] as, Node old) throws IOException {
        if (!how.recursive()) {
            throw new FileSystemException(from.path(name), null, "is a directory, which only a recursive copy takes");
        }
        refuseAboveTarget(from, name, node);
        if (old != null && !old.isDirectory()) {
            throw new FileSystemException(to.path(as), null, "exists and is not a directory");
        }
        Folder source = from.enter(name);
        Folder target = null;
        boolean pushed = false;
        try {
            if (old == null) {
                to.mkdir(as);
            }
            target = to.enter(as);
            push(source, target, node, old == null);
            pushed = true;
        } finally {
            if (!pushed) {
                source.close();
                if (target != null) {
                    target.close();
                }
            }
        }
    }

    private void refuseAboveTarget(Folder from, byte[] name, Node node) throws IOException {
        if (aboveTarget.contains(new Key(node.dev(), node.ino()))) {
            throw new FileSystemException(from.path(name), null, "is a directory that the target is in");
        }
    }

    private void push(Folder from, Folder to, Node node, boolean fresh) throws IOException {
        if (node.isInImage()
                && !seen.computeIfAbsent(node.dev(), _ -> new InodeSet()).add((int) node.ino())) {
            throw new CorruptImageException(
                    from.path(null), "directory " + node.ino() + ": number of names is more than one, expected one");
        }
        levels.add(new Level(from, to, node, fresh));
        if (levels.size() > OPEN_LEVELS) {
            Level above = levels.get(levels.size() - 1 - OPEN_LEVELS);
            above.from.park();
            above.to.park();
        }
    }

    private void pop() throws IOException {
        Level level = levels.removeLast();
        try {
            if (!levels.isEmpty()) {
                levels.getLast().from.unpark(level.from);
                levels.getLast().to.unpark(level.to);
            }
            if (how.archive() || level.fresh) {
                attire.put(level.node, level.from.grip(), level.to.grip());
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            close(level);
        }
    }

    /** A folder that the caller gave has no parent and stays the caller's. */
    private static void close(Level level) {
        if (level.from.parent != null) {
            level.from.close();
        }
        if (level.to.parent != null) {
            level.to.close();
        }
    }

    private void leaf(Folder from, byte[] name, Node node, Folder to, byte[] as) throws IOException {
        switch (node.type()) {
            case REGULAR -> file(from, name, node, to, as);
            case SYMLINK -> {
                to.symlink(as, from.readlink(name));
                attire.put(node, from.grip(name), to.grip(as));
            }
            case UNKNOWN ->
                throw new CorruptImageException(from.path(name), "mode is " + Integer.toOctalString(node.mode()));
            default -> {
                if (!how.recursive()) {
                    throw new FileSystemException(
                            from.path(name), null, "is not a regular file, which only a recursive copy takes");
                }
                to.mknod(as, node);
                attire.put(node, from.grip(name), to.grip(as));
            }
        }
    }

    /** What could be copied only in part is not left behind. */
    private void file(Folder from, byte[] name, Node node, Folder to, byte[] as) throws IOException {
        try (Content in = from.read(name);
                Content out = to.create(as)) {
            boolean done = false;
            try {
                bytes(in, out, node.size());
                attire.put(node, in.grip(), out.grip());
                done = true;
            } finally {
                if (!done) {
                    to.remove(as);
                }
            }
        }
    }

    private void bytes(Content in, Content out, long size) throws IOException {
        long end = 0;
        if (size == 0) {
            end = range(in, out, 0, Long.MAX_VALUE); // files of /proc have a content and no size
        }
        for (long at = in.nextData(0); at >= 0 && at < size; at = in.nextData(end)) {
            long hole = in.nextHole(at);
            long stop = hole < 0 ? size : Math.min(hole, size);
            end = range(in, out, at, stop);
            if (end < stop) {
                return; // it became shorter meanwhile
            }
            if (end == size) {
                return;
            }
        }
        if (end < size) {
            out.setSize(size);
        }
    }

    private long range(Content in, Content out, long start, long end) throws IOException {
        long at = start;
        while (at < end) {
            buffer.clear().limit((int) Math.min(CHUNK, end - at));
            int count = in.read(buffer, at);
            if (count == 0) {
                return at;
            }
            out.write(buffer.flip(), at);
            at += count;
            listener.copied(count);
        }
        return at;
    }

    @Override
    public void close() {
        while (!levels.isEmpty()) {
            close(levels.removeLast());
        }
    }
}
