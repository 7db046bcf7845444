// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.lab.stack.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What one thread does while parts are replaced: files made, written and synced, overwritten, cut although they lie in
 * many pieces, renamed, removed while open. It knows what each of its files holds. No call may fail.
 */
final class SwapLoad {
    private static final int BLOCK = 1024;
    private static final int PIECES = 60;
    private static final int FILES = 24;

    private final CoreFileSystem fs;
    private final Paths paths;
    private final Random random;
    private final String directory;
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private final Map<Integer, byte[]> open = new TreeMap<>();
    private int names;

    SwapLoad(CoreFileSystem fs, String directory, long seed) {
        this.fs = fs;
        this.directory = directory;
        paths = new Paths(fs);
        random = new Random(seed);
        Attributes made = new Attributes();
        fs.mkdir(Credentials.ROOT, Paths.ROOT, Paths.bytes(directory), 0755, made);
        paths.forget(made.ino);
    }

    void step() {
        if (files.size() < 4) {
            create();
            return;
        }
        switch (random.nextInt(10)) {
            case 0, 1 -> create();
            case 2 -> overwriteAndSync();
            case 3, 4 -> scatterAndCut();
            case 5 -> rename();
            case 6 -> unlinkOpen();
            case 7 -> check(anyFile());
            case 8 -> chown();
            default -> unlink();
        }
        if (files.size() > FILES) {
            unlink();
        }
    }

    /** What is there now, by path; nothing is open any more. */
    Map<String, byte[]> finish() {
        new ArrayList<>(open.keySet()).forEach(this::closeUnlinked);
        files.keySet().forEach(this::check);
        return files;
    }

    private String anyFile() {
        List<String> all = new ArrayList<>(files.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private String newPath() {
        return directory + "/" + "n".repeat(1 + random.nextInt(40)) + names++;
    }

    private byte[] data() {
        byte[] data = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(data);
        return data;
    }

    private void create() {
        String path = newPath();
        int ino = paths.create(path);
        byte[] content = random.nextInt(3) == 0 ? new byte[0] : data();
        paths.writeAt(ino, 0, content);
        files.put(path, content);
        if (random.nextInt(4) == 0) {
            fs.fsync(ino, false);
        }
        paths.forget(ino);
    }

    private void overwriteAndSync() {
        String path = anyFile();
        int ino = paths.need(path);
        byte[] content = data();
        paths.writeAt(ino, 0, content);
        byte[] old = files.get(path);
        if (old.length > content.length) {
            byte[] mixed = old.clone();
            System.arraycopy(content, 0, mixed, 0, content.length);
            content = mixed;
        }
        files.put(path, content);
        fs.fsync(ino, random.nextBoolean());
        paths.forget(ino);
    }

    /** A file of many extents, then cut: with the handle that is refused more, over several transactions. */
    private void scatterAndCut() {
        String path = newPath();
        int ino = paths.create(path);
        byte[] block = new byte[BLOCK];
        for (int i = 0; i < PIECES; i++) {
            Arrays.fill(block, (byte) (i + 1));
            paths.writeAt(ino, 2L * i * BLOCK, block);
        }
        int left = random.nextInt(2 * PIECES * BLOCK);
        setSize(ino, left);
        byte[] content = new byte[left];
        for (int at = 0; at < left; at++) {
            int lblk = at / BLOCK;
            content[at] = lblk % 2 == 0 ? (byte) (lblk / 2 + 1) : 0;
        }
        files.put(path, content);
        paths.forget(ino);
    }

    private void setSize(int ino, long size) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        fs.setattr(Credentials.ROOT, ino, change, new Attributes());
    }

    private void rename() {
        String from = anyFile();
        String to = random.nextBoolean() ? newPath() : anyFile();
        if (from.equals(to)) {
            return;
        }
        int parent = paths.need(directory);
        fs.rename(Credentials.ROOT, parent, Paths.nameOf(from), parent, Paths.nameOf(to), 0);
        paths.forget(parent);
        files.put(to, files.remove(from));
    }

    private void chown() {
        int ino = paths.need(anyFile());
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.UID | AttributeChange.GID;
        change.uid = random.nextInt(60_000);
        change.gid = random.nextInt(60_000);
        fs.setattr(Credentials.ROOT, ino, change, new Attributes());
        paths.forget(ino);
    }

    private void unlink() {
        String path = anyFile();
        paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
        files.remove(path);
    }

    private void unlinkOpen() {
        String path = anyFile();
        int ino = paths.need(path);
        paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
        open.put(ino, files.remove(path));
        if (open.size() > 6) {
            closeUnlinked(open.keySet().iterator().next());
        }
    }

    private void closeUnlinked(int ino) {
        byte[] content = open.remove(ino);
        java.nio.ByteBuffer read = java.nio.ByteBuffer.allocate(content.length);
        while (read.hasRemaining() && fs.read(ino, read.position(), read) > 0) {
            // until the end
        }
        assertArrayEquals(content, read.array(), "open and removed inode " + ino);
        paths.forget(ino);
    }

    private void check(String path) {
        assertArrayEquals(files.get(path), paths.read(path), path);
    }
}
