// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Changes everything: makes new files beside the old ones, and changes, moves and removes those. */
final class Writes {
    private static final int MOST_OLD = 28;
    private static final Credentials WHO = Credentials.ROOT;

    private final CoreFileSystem fs;
    private final Steps steps;
    private final Random random;
    private final Attributes out = new Attributes();

    Writes(CoreFileSystem fs, Steps steps, Random random) {
        this.fs = fs;
        this.steps = steps;
        this.random = random;
    }

    void run(List<Walk.Name> names) {
        fresh(Walk.ROOT);
        names.stream()
                .filter(name -> (name.mode() & Walk.S_IFMT) == Walk.S_IFDIR)
                .limit(4)
                .forEach(this::freshIn);
        steps.run("syncfs", fs::syncfs);
        int stride = Math.max(1, names.size() / MOST_OLD);
        for (int i = random.nextInt(stride); i < names.size(); i += stride) {
            old(names.get(i));
        }
        steps.run("syncfs", fs::syncfs);
    }

    private void freshIn(Walk.Name name) {
        if (steps.run("lookup", () -> fs.lookup(name.parent(), name.name(), out))) {
            int ino = out.ino;
            fresh(ino);
            forget(ino, 1);
        }
    }

    /** New entries of every kind. */
    private void fresh(int dir) {
        boolean made = steps.run("create in inode " + dir, () -> fs.create(WHO, dir, name("new"), 0644, out));
        if (made) {
            int ino = out.ino;
            write(ino, 0, 3000);
            write(ino, 9000, 2000);
            xattr(ino, 20);
            xattr(ino, 300);
            steps.run("fsync of a new file", () -> fs.fsync(ino, false));
            size(ino, 1200);
            boolean linked = steps.run("link in inode " + dir, () -> fs.link(WHO, ino, dir, name("hard"), out));
            steps.run("rename in inode " + dir, () -> fs.rename(WHO, dir, name("new"), dir, name("moved"), 0));
            steps.run("unlink in inode " + dir, () -> fs.unlink(WHO, dir, name("hard")));
            forget(ino, linked ? 2 : 1);
        }
        if (steps.run("mkdir in inode " + dir, () -> fs.mkdir(WHO, dir, name("d"), 0755, out))) {
            int below = out.ino;
            for (int i = 0; i < 6; i++) {
                byte[] name = name("a-name-of-some-length-to-fill-a-block-of-a-directory-" + i);
                if (steps.run("mknod", () -> fs.mknod(WHO, below, name, 0010644, 0, 0, out))) {
                    forget(out.ino, 1);
                }
            }
            steps.run("rmdir of a full one", () -> fs.rmdir(WHO, dir, name("d")));
            forget(below, 1);
        }
        byte[] target = name("t".repeat(10 + random.nextInt(120)));
        if (steps.run("symlink", () -> fs.symlink(WHO, dir, name("s"), target, out))) {
            forget(out.ino, 1);
        }
        if (steps.run("tmpfile", () -> fs.tmpfile(WHO, dir, 0600, out))) {
            write(out.ino, 0, 5000);
            forget(out.ino, 1);
        }
    }

    private void old(Walk.Name name) {
        int parent = name.parent();
        if (!steps.run("lookup", () -> fs.lookup(parent, name.name(), out))) {
            steps.run("unlink of a bad name", () -> fs.unlink(WHO, parent, name.name()));
            return;
        }
        int ino = out.ino;
        if ((out.mode & Walk.S_IFMT) == Walk.S_IFREG) {
            regular(ino, out.size);
        }
        xattr(ino, 30 + random.nextInt(700));
        mode(ino);
        boolean pinnedTwice = false;
        switch (random.nextInt(5)) {
            case 0 -> steps.run("unlink", () -> fs.unlink(WHO, parent, name.name()));
            case 1 -> steps.run("rmdir", () -> fs.rmdir(WHO, parent, name.name()));
            case 2 -> steps.run("rename", () -> fs.rename(WHO, parent, name.name(), Walk.ROOT, name("r" + ino), 0));
            case 3 ->
                steps.run("exchange", () -> {
                    int flags = FileSystem.RENAME_EXCHANGE;
                    fs.rename(WHO, parent, name.name(), Walk.ROOT, name("moved"), flags);
                });
            default -> pinnedTwice = steps.run("link", () -> fs.link(WHO, ino, Walk.ROOT, name("l" + ino), out));
        }
        forget(ino, pinnedTwice ? 2 : 1);
    }

    private void regular(int ino, long size) {
        switch (random.nextInt(6)) {
            case 0 -> write(ino, size, 2500);
            case 1 -> write(ino, random.nextLong(Math.max(1, size)), 1500);
            case 2 -> size(ino, size / 2);
            case 3 -> size(ino, 0);
            case 4 ->
                steps.run(
                        "punch",
                        () -> fs.fallocate(WHO, ino, FileSystem.FALLOC_PUNCH_HOLE | 1, size / 4, size / 2 + 1));
            default -> steps.run("fallocate", () -> fs.fallocate(WHO, ino, 0, size / 2, 20_000));
        }
    }

    private void write(int ino, long offset, int bytes) {
        steps.run("write to inode " + ino, () -> fs.write(WHO, ino, offset, ByteBuffer.wrap(new byte[bytes]), 0));
    }

    private void size(int ino, long size) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        steps.run("truncate of inode " + ino, () -> fs.setattr(WHO, ino, change, out));
    }

    private void mode(int ino) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.MODE | AttributeChange.UID;
        change.mode = 0640;
        change.uid = 1000;
        steps.run("chmod of inode " + ino, () -> fs.setattr(WHO, ino, change, out));
    }

    private void xattr(int ino, int bytes) {
        byte[] name = name("user.fuzz" + bytes % 3);
        steps.run("setxattr of inode " + ino, () -> fs.setxattr(WHO, ino, name, new byte[bytes], 0));
        if (random.nextInt(3) == 0) {
            steps.run("removexattr of inode " + ino, () -> fs.removexattr(WHO, ino, name));
        }
    }

    private void forget(int ino, long pins) {
        steps.run("forget", () -> fs.forget(ino, pins));
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
