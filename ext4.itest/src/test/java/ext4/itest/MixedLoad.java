// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A round makes a file, writes, cuts, renames over the one before or removes it, and looks at what must be there. Files
 * without a name stay pinned for some rounds, and a few for the whole load: those a switch must carry.
 */
final class MixedLoad implements Busy.Round {
    /** Orphans that live as long as the load. */
    static final int HELD = 16;

    private static final int ROOT = 2;
    private static final int FILE_MODE = 0x81A4; // -rw-r--r--
    private static final int DIRECTORY_MODE = 0x41ED; // drwxr-xr-x
    /** Pins of a worker on files that it has removed. */
    private static final int PINNED = 4;
    /** Sizes in bytes: what is written, and what a truncate leaves of it before it makes the file as long again. */
    private static final int LENGTH = 10_000;

    private static final int CUT = 5_001;
    private static final int FSYNC_EVERY = 32;
    private static final byte[] NAME = text("file");

    private final FileSystem fs;
    private final StatFs before;
    private final int common;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Integer> held = new ArrayList<>();

    /** What one worker knows; its thread's alone. */
    private static final class Worker {
        private final int directory;
        private final ArrayDeque<Integer> pinned = new ArrayDeque<>();
        private int round;

        private Worker(int directory) {
            this.directory = directory;
        }
    }

    MixedLoad(FileSystem fs, int count) {
        this.fs = fs;
        fs.syncfs();
        before = fs.statfs();
        common = mkdir("common");
        for (int worker = 0; worker < count; worker++) {
            workers.add(new Worker(mkdir("own" + worker)));
        }
        for (int i = 0; i < HELD; i++) {
            int ino = create(common, NAME);
            write(ino);
            cut(ino);
            fs.unlink(Credentials.ROOT, common, NAME);
            held.add(ino);
        }
    }

    @Override
    public void run(int worker) {
        Worker me = workers.get(worker);
        byte[] made = text("new" + worker + "." + me.round);
        int ino = create(common, made);
        write(ino);
        chown(ino, worker);
        cut(ino);
        fs.rename(Credentials.ROOT, common, made, me.directory, NAME, 0);
        assertThat(list(me.directory)).containsExactly("file");
        assertThat(lookup(me.directory, NAME)).isEqualTo(ino);
        if (me.round % FSYNC_EVERY == 0) {
            fs.fsync(ino, false);
        }
        me.pinned.add(ino);
        if (me.round % 3 == 0) { // in the other rounds the next rename removes it
            fs.unlink(Credentials.ROOT, me.directory, NAME);
        }
        if (me.pinned.size() > PINNED) {
            release(me.pinned.remove());
        }
        byte[] directory = text("d" + worker);
        fs.mkdir(Credentials.ROOT, common, directory, DIRECTORY_MODE, new Attributes());
        assertThat(list(common)).contains("d" + worker);
        int removed = lookup(common, directory);
        fs.rmdir(Credentials.ROOT, common, directory);
        fs.forget(removed, 1);
        me.round++;
    }

    /** After the last round: every orphan is still whole, and when all is removed every block and inode is free again. */
    void end() {
        for (Worker worker : workers) {
            if (list(worker.directory).contains("file")) {
                fs.unlink(Credentials.ROOT, worker.directory, NAME);
            }
            worker.pinned.forEach(this::release);
        }
        held.forEach(this::release);
        for (int i = 0; i < workers.size(); i++) {
            rmdir("own" + i, workers.get(i).directory);
        }
        rmdir("common", common);
        fs.syncfs();
        StatFs after = fs.statfs();
        assertThat(after.filesFree()).as("free inodes").isEqualTo(before.filesFree());
        assertThat(after.free()).as("free blocks").isEqualTo(before.free());
    }

    /** An inode without a name is as it was; then lets it go. */
    private void release(int ino) {
        Attributes is = new Attributes();
        fs.getattr(ino, is);
        assertThat(is.nlink).as("links of an orphan").isZero();
        assertThat(is.size).isEqualTo(LENGTH);
        ByteBuffer content = ByteBuffer.allocate(LENGTH + 1);
        assertThat(fs.read(ino, 0, content)).isEqualTo(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            byte expected = i < CUT ? content(ino, i) : 0;
            if (content.get(i) != expected) {
                throw new AssertionError("inode " + ino + ", byte " + i + ": " + content.get(i) + ", not " + expected);
            }
        }
        fs.forget(ino, 1);
    }

    private int create(int parent, byte[] name) {
        Attributes made = new Attributes();
        fs.create(Credentials.ROOT, parent, name, FILE_MODE, made);
        return made.ino;
    }

    private void write(int ino) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            bytes.put(i, content(ino, i));
        }
        assertThat(fs.write(Credentials.ROOT, ino, 0, bytes, 0)).isEqualTo(LENGTH);
    }

    private static byte content(int ino, int index) {
        return (byte) (1 + (ino * 31 + index) % 127); // never 0
    }

    private void chown(int ino, int worker) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.MODE | AttributeChange.UID | AttributeChange.MTIME_NOW;
        change.mode = 0600;
        change.uid = 1000 + worker;
        Attributes changed = new Attributes();
        fs.setattr(Credentials.ROOT, ino, change, changed);
        assertThat(changed.uid).isEqualTo(1000 + worker);
    }

    /** Down, which frees a block, and up again, after which the tail reads as zeros. */
    private void cut(int ino) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        for (int size : new int[] {CUT, LENGTH}) {
            change.size = size;
            fs.setattr(Credentials.ROOT, ino, change, new Attributes());
        }
    }

    private int mkdir(String name) {
        Attributes made = new Attributes();
        fs.mkdir(Credentials.ROOT, ROOT, text(name), DIRECTORY_MODE, made);
        return made.ino;
    }

    private void rmdir(String name, int ino) {
        fs.rmdir(Credentials.ROOT, ROOT, text(name));
        fs.forget(ino, 1);
    }

    /** The inode of that name, not pinned any longer than it was. */
    private int lookup(int parent, byte[] name) {
        Attributes found = new Attributes();
        fs.lookup(parent, name, found);
        fs.forget(found.ino, 1);
        return found.ino;
    }

    /** Names in a directory, without "." and "..". */
    private List<String> list(int directory) {
        List<String> names = new ArrayList<>();
        fs.readdir(directory, 0, (cookie, ino, mode, name, offset, length) -> {
            String text = new String(name, offset, length, StandardCharsets.US_ASCII);
            return text.startsWith(".") || names.add(text);
        });
        return names;
    }

    private static byte[] text(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
