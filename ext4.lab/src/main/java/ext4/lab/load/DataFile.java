// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.api.fs.Errno;
import ext4.sys.FileStatus;
import ext4.sys.TreeCalls;
import java.util.Arrays;
import java.util.Random;

/** A file and what it must hold. */
final class DataFile {
    private static final int MODE = 0600;
    private static final int LIMIT = 384 << 10;
    private static final int LONGEST = 48 << 10;
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int ZERO_RANGE = 16;
    private static final int CREATE = TreeCalls.O_RDWR | TreeCalls.O_CREAT | TreeCalls.O_EXCL;

    private final Hands hands;
    private final String path;
    private final Random random;
    /** Zeros from {@link #size} on. */
    private final byte[] model = new byte[LIMIT];

    private int size;
    private int fd = -1;
    private boolean named = true;

    DataFile(Hands hands, String path, Random random) {
        this.hands = hands;
        this.path = path;
        this.random = random;
    }

    String path() {
        return path;
    }

    boolean named() {
        return named;
    }

    void create() {
        fd = hands.open(path, CREATE, MODE);
    }

    void unlink() {
        hands.must("unlink", path, hands.calls.unlink(Hands.HERE, Hands.bytes(path), 0));
        named = false;
    }

    void close() {
        if (fd >= 0) {
            hands.calls.close(fd);
            fd = -1;
        }
    }

    String description() {
        return new Description(0100000 | MODE, 0, 0)
                .links(1)
                .content(model, size)
                .toString();
    }

    void step() {
        int offset = random.nextInt(LIMIT);
        int length = 1 + random.nextInt(Math.min(LONGEST, LIMIT - offset));
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> write(offset, length);
            case 6, 7, 8, 9, 10 -> read(offset, length);
            case 11, 12 -> truncate(random.nextBoolean() ? offset : Math.min(size, offset));
            case 13 -> allocate(random.nextBoolean() ? KEEP_SIZE : 0, offset, length);
            case 14 -> allocate(PUNCH_HOLE | KEEP_SIZE, offset, length);
            case 15 -> allocate(ZERO_RANGE | (random.nextBoolean() ? KEEP_SIZE : 0), offset, length);
            case 16 -> append(Math.min(length, LIMIT - size));
            case 17 -> hands.must("fsync", path, hands.calls.sync(fd));
            case 18 -> seek(offset);
            default -> reopen();
        }
    }

    private void write(int offset, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        hands.write(path, fd, bytes, offset);
        System.arraycopy(bytes, 0, model, offset, length);
        size = Math.max(size, offset + length);
    }

    private void append(int length) {
        if (!named || length == 0) {
            return;
        }
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        int end = hands.open(path, TreeCalls.O_WRONLY | TreeCalls.O_APPEND, 0);
        try {
            hands.write(path, end, bytes, -1);
        } finally {
            hands.calls.close(end);
        }
        System.arraycopy(bytes, 0, model, size, length);
        size += length;
    }

    private void read(int offset, int length) {
        byte[] bytes = hands.read(path, fd, offset, length);
        compare("read", offset, Math.max(0, Math.min(length, size - offset)), bytes);
    }

    private void compare(String call, int offset, int expected, byte[] bytes) {
        int wrong = bytes.length != expected
                ? Math.min(bytes.length, expected)
                : Arrays.mismatch(bytes, 0, bytes.length, model, offset, offset + expected);
        if (wrong >= 0) {
            hands.outcome()
                    .differs(
                            path + (named ? "" : " (unlinked, open)"),
                            expected + " bytes at " + offset + ", as written",
                            bytes.length + " bytes, wrong from byte " + (offset + wrong) + " on, by " + call);
            throw new Abandoned(path);
        }
    }

    private void truncate(int length) {
        hands.must("ftruncate", path, hands.calls.setSize(fd, length));
        if (length < size) {
            Arrays.fill(model, length, size, (byte) 0);
        }
        size = length;
    }

    private void allocate(int mode, int offset, int length) {
        hands.must("fallocate mode " + mode, path, hands.calls.allocate(fd, mode, offset, length));
        if ((mode & (PUNCH_HOLE | ZERO_RANGE)) != 0) {
            Arrays.fill(model, offset, offset + length, (byte) 0);
        }
        if ((mode & KEEP_SIZE) == 0) {
            size = Math.max(size, offset + length);
        }
    }

    /** Where the holes are is the filesystem's choice; that nothing but zeros is in them is not. */
    private void seek(int offset) {
        hands.outcome().called();
        long data = hands.calls.seekData(fd, offset);
        int end = data == -Errno.ENXIO.number() ? Math.max(size, offset) : (int) data;
        if (data < 0 && data != -Errno.ENXIO.number() || offset >= size && data >= 0) {
            throw hands.failed(
                    "lseek SEEK_DATA " + offset, path, Hands.name((int) data), "what a file of " + size + " has");
        }
        for (int i = offset; i < Math.min(end, size); i++) {
            if (model[i] != 0) {
                throw hands.failed("lseek SEEK_DATA " + offset, path, Hands.name((int) data), "at most " + i);
            }
        }
        hands.outcome().called();
        long hole = hands.calls.seekHole(fd, offset);
        if (offset >= size ? hole != -Errno.ENXIO.number() : hole < offset || hole > size) {
            throw hands.failed("lseek SEEK_HOLE " + offset, path, Hands.name((int) hole), "a place up to " + size);
        }
    }

    private void reopen() {
        if (named) {
            hands.close(path, fd);
            fd = -1;
            fd = hands.open(path, TreeCalls.O_RDWR, 0);
            verify(random.nextBoolean());
        } else {
            verify(false);
        }
    }

    /** Reads all of it, past the page cache if there is a way. */
    void verify(boolean direct) {
        FileStatus status = hands.stat(path, fd);
        if (status.size() != size || status.nlink() != (named ? 1 : 0)) {
            throw hands.failed(
                    "fstat",
                    path,
                    status.size() + " bytes, " + status.nlink() + " links",
                    size + " bytes, " + (named ? 1 : 0) + " links");
        }
        byte[] bytes = direct && named ? hands.content(path, size) : hands.content(path, fd, size);
        compare("read of the whole", 0, size, bytes);
    }
}
