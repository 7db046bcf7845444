// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.lab.stack.Paths;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * A mounted filesystem with what its files must hold, and each operation written down. A full disk is no failure: the
 * operation then left what the tree shows. Belongs to one thread.
 */
final class World {
    private static final byte[] JUNK = Paths.bytes("user.big");

    /** A regular file. */
    static final class Content {
        final int ino;
        private final int id;
        private int versions;
        private byte[] bytes = {};

        private Content(int ino, int id) {
            this.ino = ino;
            this.id = id;
        }

        int size() {
            return bytes.length;
        }

        private void put(int offset, byte[] data, int count) {
            if (offset + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, offset + count);
            }
            System.arraycopy(data, 0, bytes, offset, count);
        }
    }

    final CoreFileSystem fs;
    private final Paths paths;
    private final IntSupplier position;
    private final boolean spanning;
    private final TreeMap<String, Content> files = new TreeMap<>();
    private final List<Content> held = new ArrayList<>();
    private int ids;
    private History history;

    /** The inode that the last operation was about, 0 if it is gone. */
    private int subject;

    /** Whether the last operation found room. */
    private boolean made;

    /** The directory whose entries the last operation changed, or which has the file it changed. */
    private int directory = Paths.ROOT;

    /**
     * @param position events on the device's record
     * @param spanning whether operations may take several transactions
     */
    World(CoreFileSystem fs, IntSupplier position, boolean spanning) {
        this.fs = fs;
        this.spanning = spanning;
        this.position = position;
        paths = new Paths(fs);
        begin();
    }

    /** Forgets what was done: the tree as it is now is the first. */
    void begin() {
        history = new History(Snapshot.of(fs));
    }

    History history() {
        return history;
    }

    /** Whether the last operation found room. */
    boolean made() {
        return made;
    }

    List<String> files() {
        return new ArrayList<>(files.keySet());
    }

    int heldFiles() {
        return held.size();
    }

    Content file(String path) {
        return files.get(path);
    }

    /** The file made as the {@code nth}, by its first name; null if it has none. */
    String pathOf(int nth) {
        for (Map.Entry<String, Content> each : files.entrySet()) {
            if (each.getValue().id == nth) {
                return each.getKey();
            }
        }
        return null;
    }

    private void operation(String text, int several, Runnable work) {
        history.begins(text, position.getAsInt(), spanning ? several : 0);
        boolean full = false;
        try {
            work.run();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOSPC) {
                throw new IllegalStateException(text + ": " + e.getMessage(), e);
            }
            full = true;
        }
        made = !full;
        fs.awaitEvictions();
        Snapshot tree = Snapshot.of(fs);
        history.ends(tree);
        check(tree, text, full);
    }

    /** Without any crash each file holds what was written. */
    private void check(Snapshot tree, String text, boolean full) {
        files.forEach((path, file) -> {
            Entry entry = tree.entries().get("/" + path);
            if (full && entry != null && file.ino == subject) {
                file.bytes = entry.content().clone();
            } else if (entry == null || entry.ino() != file.ino || !Arrays.equals(entry.content(), file.bytes)) {
                throw new IllegalStateException("after " + text + ", without a crash, " + path + " is " + entry
                        + ", not what was written, " + file.bytes.length + " bytes in inode " + file.ino);
            }
        });
    }

    private int ino(String path) {
        int ino = paths.need(path);
        paths.forget(ino);
        return ino;
    }

    private void about(String path, int ino) {
        subject = ino;
        directory = ino(Paths.parentOf(path));
    }

    void create(String path) {
        operation("create " + path, 0, () -> {
            int ino = paths.create(path);
            paths.forget(ino);
            files.put(path, new Content(ino, ids++));
            about(path, ino);
        });
    }

    void write(String path, int offset, int length) {
        Content file = files.get(path);
        byte[] data = Pattern.bytes(file.id, ++file.versions, offset, length);
        about(path, file.ino);
        operation("write " + path + " " + offset + "+" + length, file.ino, () -> {
            ByteBuffer source = ByteBuffer.wrap(data);
            try {
                while (source.hasRemaining()) {
                    fs.write(Credentials.ROOT, file.ino, offset + source.position(), source, 0);
                }
            } finally {
                file.put(offset, data, source.position());
            }
        });
    }

    void truncate(String path, int size) {
        Content file = files.get(path);
        about(path, file.ino);
        operation("truncate " + path + " " + size, file.ino, () -> {
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.SIZE;
            change.size = size;
            fs.setattr(Credentials.ROOT, file.ino, change, new Attributes());
            file.bytes = Arrays.copyOf(file.bytes, size);
        });
    }

    /** @param mode bits of {@link FileSystem#fallocate} */
    void fallocate(String path, int mode, int offset, int length) {
        Content file = files.get(path);
        about(path, file.ino);
        operation("fallocate " + path + " mode " + mode + " " + offset + "+" + length, file.ino, () -> {
            fs.fallocate(Credentials.ROOT, file.ino, mode, offset, length);
            if ((mode & FileSystem.FALLOC_KEEP_SIZE) == 0 && offset + length > file.bytes.length) {
                file.bytes = Arrays.copyOf(file.bytes, offset + length);
            }
            if ((mode & ~FileSystem.FALLOC_KEEP_SIZE) != 0 && offset < file.bytes.length) {
                Arrays.fill(file.bytes, offset, Math.min(file.bytes.length, offset + length), (byte) 0);
            }
        });
    }

    void link(String path, String to) {
        Content file = files.get(path);
        operation("link " + path + " " + to, 0, () -> {
            paths.inParent(to, parent -> {
                fs.link(Credentials.ROOT, file.ino, parent, Paths.nameOf(to), new Attributes());
                paths.forget(file.ino); // the pin that link gave
            });
            files.put(to, file);
            about(to, file.ino);
        });
    }

    /** @param open whether it stays in use until {@link #closeHeld} */
    void unlink(String path, boolean open) {
        Content file = files.get(path);
        about(path, open ? file.ino : 0);
        if (open) {
            fs.pin(file.ino);
        }
        boolean[] done = {false};
        operation((open ? "unlink open " : "unlink ") + path, 0, () -> {
            fs.unlink(Credentials.ROOT, directory, Paths.nameOf(path));
            files.remove(path);
            done[0] = true;
        });
        if (open && done[0]) {
            held.add(file);
        } else if (open) {
            paths.forget(file.ino);
        }
    }

    /** The file opened first and unlinked is used for the last time. */
    void closeHeld() {
        Content file = held.removeFirst();
        subject = 0;
        operation("close inode " + file.ino, 0, () -> {
            ByteBuffer read = ByteBuffer.allocate(file.bytes.length);
            while (read.hasRemaining() && fs.read(file.ino, read.position(), read) > 0) {
                // until the end
            }
            if (!Arrays.equals(read.array(), file.bytes)) {
                throw new IllegalStateException("inode " + file.ino + ", open without a name, lost its content");
            }
            paths.forget(file.ino);
        });
    }

    void rename(String from, String to) {
        int target = ino(Paths.parentOf(to));
        operation("rename " + from + " " + to, 0, () -> {
            int parent = ino(Paths.parentOf(from));
            fs.rename(Credentials.ROOT, parent, Paths.nameOf(from), target, Paths.nameOf(to), 0);
            Content moved = files.remove(from);
            files.put(to, moved);
            about(to, moved.ino);
        });
    }

    void exchange(String one, String other) {
        operation("exchange " + one + " " + other, 0, () -> {
            fs.rename(
                    Credentials.ROOT,
                    ino(Paths.parentOf(one)),
                    Paths.nameOf(one),
                    ino(Paths.parentOf(other)),
                    Paths.nameOf(other),
                    FileSystem.RENAME_EXCHANGE);
            Content first = files.put(one, files.get(other));
            files.put(other, first);
            about(other, first.ino);
        });
    }

    void mkdir(String path) {
        operation("mkdir " + path, 0, () -> {
            Attributes made = new Attributes();
            paths.inParent(path, parent -> fs.mkdir(Credentials.ROOT, parent, Paths.nameOf(path), 0755, made));
            paths.forget(made.ino);
            about(path, made.ino);
        });
    }

    void rmdir(String path) {
        about(path, 0);
        operation("rmdir " + path, 0, () -> fs.rmdir(Credentials.ROOT, directory, Paths.nameOf(path)));
    }

    void symlink(String path, int length) {
        operation("symlink " + path + " of " + length, 0, () -> {
            Attributes made = new Attributes();
            byte[] target = Paths.bytes("t".repeat(length));
            paths.inParent(path, parent -> fs.symlink(Credentials.ROOT, parent, Paths.nameOf(path), target, made));
            paths.forget(made.ino);
            about(path, made.ino);
        });
    }

    /** A file without a name gets content, and then a name unless {@code path} is null. */
    void tmpfile(String path, int length) {
        int id = ids++;
        operation("tmpfile" + (path == null ? "" : ", linked to " + path), 0, () -> {
            Attributes made = new Attributes();
            fs.tmpfile(Credentials.ROOT, Paths.ROOT, 0600, made);
            Content file = new Content(made.ino, id);
            try {
                byte[] data = Pattern.bytes(id, ++file.versions, 0, length);
                paths.writeAt(made.ino, 0, data);
                file.put(0, data, length);
                if (path != null) {
                    paths.inParent(path, parent -> {
                        fs.link(Credentials.ROOT, made.ino, parent, Paths.nameOf(path), new Attributes());
                        paths.forget(made.ino);
                    });
                    files.put(path, file);
                    about(path, made.ino);
                }
            } finally {
                paths.forget(made.ino);
            }
        });
    }

    void setxattr(String path, String name, int length, char fill) {
        Content file = files.get(path);
        about(path, file.ino);
        operation(
                "setxattr " + path + " " + name + " " + length,
                0,
                () -> fs.setxattr(
                        Credentials.ROOT,
                        file.ino,
                        Paths.bytes(name),
                        Paths.bytes(Character.toString(fill).repeat(length)),
                        0));
    }

    /** Takes away the large one, with its block, if it is there. */
    void removexattr(String path) {
        Content file = files.get(path);
        about(path, file.ino);
        operation("removexattr " + path, 0, () -> {
            try {
                fs.removexattr(Credentials.ROOT, file.ino, JUNK);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENODATA) {
                    throw e;
                }
            }
        });
    }

    /** fsync(2), or fdatasync(2), of what the last operation was about; false if it is gone. */
    boolean syncSubject(boolean dataOnly) {
        if (subject == 0) {
            return false;
        }
        fs.fsync(subject, dataOnly);
        history.synced(subject, dataOnly, position.getAsInt());
        return true;
    }

    void syncDirectory() {
        fs.fsync(directory, false);
        history.synced(directory, false, position.getAsInt());
    }

    void sync() {
        fs.syncfs();
        history.syncedAll(position.getAsInt());
    }

    /** Gives back all pins. */
    void closeAll() {
        while (!held.isEmpty()) {
            closeHeld();
        }
    }
}
