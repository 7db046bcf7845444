// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * One thread's work: all verbs, on the same few directories and names as the other threads, so that they meet at all locks.
 * What a verb answers is not looked at here.
 */
final class LockLoad implements Runnable {
    private static final int NAMES = 12;
    private static final int KINDS = 24;
    private static final int ROOT = 2;
    private static final int BIG = 300_000;

    private final FileSystem fs;
    private final Random random;
    private final int steps;
    private final int[] directories;
    private final ByteBuffer buffer = ByteBuffer.allocate(BIG);
    /** Pins of this thread by number, for what it looked up. */
    private final int[] held = new int[16];

    LockLoad(FileSystem fs, long seed, int steps, int[] directories) {
        this.fs = fs;
        this.random = new Random(seed);
        this.steps = steps;
        this.directories = directories;
    }

    @Override
    public void run() {
        for (int i = 0; i < steps; i++) {
            try {
                step(random.nextInt(KINDS));
            } catch (ErrnoException e) {
                // that names come and go is what this is about
            }
        }
        for (int ino : held) {
            if (ino != 0) {
                fs.forget(ino, 1);
            }
        }
    }

    private void step(int which) {
        Attributes out = new Attributes();
        switch (which) {
            case 0, 1, 2 -> {
                fs.create(Credentials.ROOT, directory(), name(), 0644, out);
                hold(out.ino);
            }
            case 3 -> {
                fs.mkdir(Credentials.ROOT, directory(), name(), 0755, out);
                hold(out.ino);
            }
            case 4 -> {
                fs.symlink(Credentials.ROOT, directory(), name(), new byte[random.nextBoolean() ? 20 : 200], out);
                hold(out.ino);
            }
            case 5 -> {
                fs.tmpfile(Credentials.ROOT, directory(), 0600, out);
                hold(out.ino);
            }
            case 6 -> {
                fs.link(Credentials.ROOT, any(), directory(), name(), out);
                fs.forget(out.ino, 1);
            }
            case 7, 8, 9 -> fs.unlink(Credentials.ROOT, directory(), name());
            case 10 -> fs.rmdir(Credentials.ROOT, directory(), name());
            case 11, 12 -> fs.rename(Credentials.ROOT, directory(), name(), directory(), name(), 0);
            case 13 ->
                fs.rename(Credentials.ROOT, directory(), name(), directory(), name(), FileSystem.RENAME_EXCHANGE);
            case 14, 15 -> {
                fs.lookup(directory(), name(), out);
                hold(out.ino);
            }
            default -> other(which, out);
        }
    }

    private void other(int which, Attributes out) {
        switch (which) {
            case 16, 17 -> write();
            case 18 -> {
                AttributeChange change = new AttributeChange();
                change.valid = AttributeChange.SIZE;
                change.size = random.nextInt(BIG);
                fs.setattr(Credentials.ROOT, any(), change, out);
            }
            case 19 -> {
                AttributeChange change = new AttributeChange();
                change.valid = AttributeChange.UID | AttributeChange.GID | AttributeChange.MODE;
                change.mode = 06755;
                fs.setattr(Credentials.ROOT, any(), change, out);
            }
            case 20 -> xattr();
            case 21 -> list();
            case 22 -> {
                int mode = random.nextBoolean() ? FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE : 0;
                fs.fallocate(Credentials.ROOT, any(), mode, random.nextInt(BIG), 1 + random.nextInt(BIG));
            }
            default -> sync();
        }
    }

    private void write() {
        buffer.clear().limit(1 + random.nextInt(random.nextBoolean() ? 5000 : BIG));
        int ino = any();
        fs.write(Credentials.ROOT, ino, random.nextInt(BIG), buffer, FileSystem.WRITE_KILL_PRIVILEGES);
        fs.read(ino, 0, buffer.clear());
    }

    private void xattr() {
        byte[] name = bytes("user." + random.nextInt(3));
        int ino = any();
        if (random.nextBoolean()) {
            fs.setxattr(Credentials.ROOT, ino, name, new byte[random.nextInt(400)], 0);
            fs.listxattr(ino);
        } else {
            fs.getxattr(ino, name);
            fs.removexattr(Credentials.ROOT, ino, name);
        }
    }

    private void list() {
        int directory = directory();
        if (random.nextBoolean()) {
            fs.readdir(directory, 0, (cookie, ino, mode, name, offset, length) -> true);
            return;
        }
        int[] taken = new int[1000];
        int[] count = {0};
        try {
            fs.readdirplus(directory, 0, (cookie, found, name, offset, length) -> {
                boolean dots = length <= 2 && name[offset] == '.';
                if (!dots && found.nlink > 0 && count[0] < taken.length) {
                    taken[count[0]++] = found.ino;
                }
                return dots || found.nlink == 0 || count[0] < taken.length;
            });
        } finally {
            for (int i = 0; i < count[0]; i++) {
                fs.forget(taken[i], 1);
            }
        }
    }

    private void sync() {
        switch (random.nextInt(6)) {
            case 0 -> fs.syncfs();
            case 1 -> fs.statfs();
            case 2 -> fs.seek(any(), 0, true);
            case 3 -> fs.readlink(any());
            default -> fs.fsync(any(), random.nextBoolean());
        }
    }

    /** Takes the place of another one, which is given back. */
    private void hold(int ino) {
        int at = random.nextInt(held.length);
        int before = held[at];
        held[at] = ino == ROOT ? 0 : ino;
        if (before != 0) {
            fs.forget(before, 1);
        }
    }

    private int any() {
        int ino = held[random.nextInt(held.length)];
        return ino == 0 ? directory() : ino;
    }

    private int directory() {
        int ino = held[random.nextInt(held.length)];
        return ino != 0 && random.nextInt(8) == 0 ? ino : directories[random.nextInt(directories.length)];
    }

    private byte[] name() {
        return bytes("n" + random.nextInt(NAMES));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
