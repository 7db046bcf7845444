// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * A seeded mix of operations on a mounted filesystem that keeps beside it what each file holds and what was promised:
 * open-unlinked files, truncates over several transactions, inode numbers used again within one, directories that come
 * and go, links, xattrs, holes.
 */
final class MixedWorkload {
    private static final int DIRECTORIES = 4;

    private final CoreFileSystem fs;
    private final Paths paths;
    private final Random random;
    private final IntSupplier position;
    final Promises promises = new Promises();
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private final Map<Integer, byte[]> unlinkedButOpen = new HashMap<>();
    private int names;

    MixedWorkload(CoreFileSystem fs, long seed, IntSupplier position) {
        this.fs = fs;
        this.paths = new Paths(fs);
        this.random = new Random(seed);
        this.position = position;
    }

    void begin() {
        for (int i = 0; i < DIRECTORIES; i++) {
            Attributes made = new Attributes();
            fs.mkdir(Credentials.ROOT, Paths.ROOT, Paths.bytes("d" + i), 0755, made);
            paths.forget(made.ino);
        }
        fs.syncfs();
    }

    void step() {
        try {
            choose(random.nextInt(18));
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOSPC) {
                throw e;
            }
            removeSome();
        }
    }

    private void choose(int which) {
        switch (which) {
            case 0, 1, 2 -> createAndWrite();
            case 3, 4 -> overwrite();
            case 5 -> truncate();
            case 6, 7 -> unlink(false);
            case 8 -> unlink(true);
            case 9 -> closeUnlinked();
            case 10 -> rename();
            case 11 -> tmpfile();
            case 12 -> reuseNumber();
            case 13 -> directoryComesAndGoes();
            case 14 -> fragmentAndTruncate();
            case 15 -> sync();
            case 16 -> linkAndXattr();
            default -> punch();
        }
    }

    private String newPath() {
        return "d" + random.nextInt(DIRECTORIES) + "/" + "f".repeat(1 + random.nextInt(30)) + names++;
    }

    private String anyFile() {
        if (files.isEmpty()) {
            return null;
        }
        List<String> all = new ArrayList<>(files.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private byte[] data(int most) {
        byte[] data = new byte[1 + random.nextInt(most)];
        random.nextBytes(data);
        if (random.nextInt(4) == 0 && data.length >= 4) {
            data[0] = (byte) 0xC0; // begins like a block of the log
            data[1] = 0x3B;
            data[2] = 0x39;
            data[3] = (byte) 0x98;
        }
        return data;
    }

    private void createAndWrite() {
        String path = newPath();
        int ino = paths.create(path);
        try {
            byte[] content = data(12_000);
            files.put(path, new byte[0]);
            paths.writeAt(ino, 0, content);
            files.put(path, content);
            maybeSync(path, ino);
        } finally {
            paths.forget(ino);
        }
    }

    private void maybeSync(String path, int ino) {
        if (random.nextInt(3) == 0) {
            fs.fsync(ino, random.nextBoolean());
            promises.durable(path, files.get(path), position.getAsInt());
        }
    }

    private void overwrite() {
        String path = anyFile();
        if (path == null) {
            return;
        }
        promises.broken(path, position.getAsInt());
        int ino = paths.need(path);
        try {
            byte[] old = files.get(path);
            byte[] data = data(6_000);
            int at = random.nextInt(old.length + 2_000);
            byte[] content = Arrays.copyOf(old, Math.max(old.length, at + data.length));
            System.arraycopy(data, 0, content, at, data.length);
            paths.writeAt(ino, at, data);
            files.put(path, content);
            maybeSync(path, ino);
        } finally {
            paths.forget(ino);
        }
    }

    private void truncate() {
        String path = anyFile();
        if (path == null) {
            return;
        }
        promises.broken(path, position.getAsInt());
        int ino = paths.need(path);
        try {
            int size = random.nextInt(files.get(path).length + 5_000);
            setSize(ino, size);
            files.put(path, Arrays.copyOf(files.get(path), size));
            maybeSync(path, ino);
        } finally {
            paths.forget(ino);
        }
    }

    private void setSize(int ino, long size) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        fs.setattr(Credentials.ROOT, ino, change, new Attributes());
    }

    private void unlink(boolean keepOpen) {
        String path = anyFile();
        if (path == null) {
            return;
        }
        promises.broken(path, position.getAsInt());
        int ino = paths.need(path);
        paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
        byte[] content = files.remove(path);
        if (keepOpen) {
            unlinkedButOpen.put(ino, content);
        } else {
            paths.forget(ino);
        }
    }

    private void closeUnlinked() {
        if (unlinkedButOpen.isEmpty()) {
            return;
        }
        int ino = unlinkedButOpen.keySet().iterator().next();
        byte[] content = unlinkedButOpen.remove(ino);
        java.nio.ByteBuffer read = java.nio.ByteBuffer.allocate(content.length);
        while (read.hasRemaining() && fs.read(ino, read.position(), read) > 0) {
            // until the end
        }
        if (!Arrays.equals(content, read.array())) {
            throw new AssertionError("an unlinked open file lost its content");
        }
        paths.forget(ino);
    }

    private void rename() {
        String from = anyFile();
        if (from == null) {
            return;
        }
        String other = anyFile();
        String to = random.nextBoolean() || other.equals(from) ? newPath() : other;
        promises.broken(from, position.getAsInt());
        promises.broken(to, position.getAsInt());
        int target = paths.need(Paths.parentOf(to));
        try {
            paths.inParent(
                    from,
                    parent -> fs.rename(Credentials.ROOT, parent, Paths.nameOf(from), target, Paths.nameOf(to), 0));
        } finally {
            paths.forget(target);
        }
        files.put(to, files.remove(from));
        if (random.nextInt(3) == 0) {
            fs.syncfs();
            promises.durable(to, files.get(to), position.getAsInt());
            promises.durable(from, null, position.getAsInt());
        }
    }

    private void tmpfile() {
        Attributes made = new Attributes();
        fs.tmpfile(Credentials.ROOT, Paths.ROOT, 0600, made);
        byte[] content = data(5_000);
        paths.writeAt(made.ino, 0, content);
        if (random.nextBoolean()) {
            String path = newPath();
            paths.inParent(path, parent -> {
                fs.link(Credentials.ROOT, made.ino, parent, Paths.nameOf(path), new Attributes());
                fs.forget(made.ino, 1); // the pin that link gave
            });
            files.put(path, content);
            maybeSync(path, made.ino);
        }
        paths.forget(made.ino);
    }

    /** The number of a removed file is normally the next to be given out, in the same transaction. */
    private void reuseNumber() {
        String directory = "d" + random.nextInt(DIRECTORIES) + "/";
        for (int i = 0; i < 3; i++) {
            String path = directory + "reused" + names++;
            int ino = paths.create(path);
            paths.writeAt(ino, 0, data(3_000));
            paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
            paths.forget(ino);
        }
    }

    private void directoryComesAndGoes() {
        int parent = paths.need("d" + random.nextInt(DIRECTORIES));
        try {
            Attributes made = new Attributes();
            byte[] name = Paths.bytes("sub" + names++);
            fs.mkdir(Credentials.ROOT, parent, name, 0755, made);
            Attributes file = new Attributes();
            fs.create(Credentials.ROOT, made.ino, Paths.bytes("x"), 0644, file);
            paths.forget(file.ino);
            if (random.nextBoolean()) {
                fs.unlink(Credentials.ROOT, made.ino, Paths.bytes("x"));
                fs.rmdir(Credentials.ROOT, parent, name);
            }
            paths.forget(made.ino);
        } finally {
            paths.forget(parent);
        }
    }

    /** A file in many pieces, so that cutting it takes many steps. */
    private void fragmentAndTruncate() {
        String path = newPath();
        int ino = paths.create(path);
        try {
            byte[] piece = new byte[1024];
            int pieces = 60 + random.nextInt(60);
            byte[] content = new byte[pieces * 2048 - 1024];
            files.put(path, new byte[0]);
            for (int i = 0; i < pieces; i++) {
                random.nextBytes(piece);
                paths.writeAt(ino, i * 2048L, piece);
                System.arraycopy(piece, 0, content, i * 2048, 1024);
                files.put(path, Arrays.copyOf(content, i * 2048 + 1024));
            }
            int size = random.nextInt(content.length);
            setSize(ino, size);
            files.put(path, Arrays.copyOf(content, size));
            maybeSync(path, ino);
        } finally {
            paths.forget(ino);
        }
    }

    private void sync() {
        fs.syncfs();
        int now = position.getAsInt();
        files.forEach((path, content) -> promises.durable(path, content, now));
    }

    private void linkAndXattr() {
        String path = anyFile();
        if (path == null) {
            return;
        }
        int ino = paths.need(path);
        try {
            byte[] value = new byte[random.nextInt(400)];
            random.nextBytes(value);
            fs.setxattr(Credentials.ROOT, ino, Paths.bytes("user.x" + random.nextInt(3)), value, 0);
            String other = newPath();
            paths.inParent(other, parent -> {
                fs.link(Credentials.ROOT, ino, parent, Paths.nameOf(other), new Attributes());
                fs.forget(ino, 1);
                if (random.nextBoolean()) {
                    fs.symlink(
                            Credentials.ROOT,
                            parent,
                            Paths.bytes("sym" + names++),
                            Paths.bytes("t".repeat(1 + random.nextInt(200))),
                            forgotten());
                }
                fs.unlink(Credentials.ROOT, parent, Paths.nameOf(other));
            });
        } finally {
            paths.forget(ino);
        }
    }

    /** The pin of what is made into these attributes is given back at the next {@link #closeAll}. */
    private Attributes forgotten() {
        Attributes made = new Attributes();
        symlinks.add(made);
        return made;
    }

    private final List<Attributes> symlinks = new ArrayList<>();

    private void punch() {
        String path = anyFile();
        if (path == null || files.get(path).length < 2) {
            return;
        }
        promises.broken(path, position.getAsInt());
        int ino = paths.need(path);
        try {
            byte[] content = files.get(path).clone();
            int from = random.nextInt(content.length - 1);
            int length = 1 + random.nextInt(content.length - from);
            int mode = random.nextBoolean()
                    ? FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE
                    : FileSystem.FALLOC_ZERO_RANGE | FileSystem.FALLOC_KEEP_SIZE;
            fs.fallocate(Credentials.ROOT, ino, mode, from, length);
            Arrays.fill(content, from, Math.min(content.length, from + length), (byte) 0);
            files.put(path, content);
            maybeSync(path, ino);
        } finally {
            paths.forget(ino);
        }
    }

    private void removeSome() {
        for (int i = 0; i < 5 && !files.isEmpty(); i++) {
            unlink(false);
        }
    }

    /** Gives back all pins, so that what is unlinked goes. */
    void closeAll() {
        while (!unlinkedButOpen.isEmpty()) {
            closeUnlinked();
        }
        symlinks.stream().filter(made -> made.ino != 0).forEach(made -> paths.forget(made.ino));
        symlinks.clear();
    }

    /** What each file holds now. */
    Map<String, byte[]> files() {
        return files;
    }
}
