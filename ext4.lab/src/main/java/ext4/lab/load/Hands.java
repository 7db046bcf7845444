// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.api.fs.Errno;
import ext4.sys.DirectoryEntries;
import ext4.sys.FileStatus;
import ext4.sys.TreeCalls;
import ext4.sys.XattrCalls;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** System calls by absolute path, each held against what it must return. Belongs to the thread that made it. */
public final class Hands implements AutoCloseable {
    /** In place of a directory's descriptor. */
    public static final int HERE = TreeCalls.AT_FDCWD;
    /** open(2): read only. */
    public static final int O_RDONLY = 0;
    /** Bytes that {@link #buffer} takes; reads past the page cache are of this size. */
    public static final int BUFFER = 1 << 16;

    private static final int PAGE = 4096;

    public final TreeCalls calls = new TreeCalls();
    public final XattrCalls xattrs = new XattrCalls(calls);
    private final Outcome outcome;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER + PAGE).alignedSlice(PAGE);
    private final DirectoryEntries entries = new DirectoryEntries();

    public Hands(Outcome outcome) {
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** A path or name as the kernel gets it. */
    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** The result of a call that must succeed. */
    public int must(String call, String path, int result) {
        return expect(call, path, result, 0);
    }

    /**
     * Holds a result against what it must be.
     *
     * @param result of the call, or its negative error number
     * @param errno the error it must end with, 0 for none
     * @throws Abandoned if it is not so; it is reported
     */
    public int expect(String call, String path, int result, int errno) {
        outcome.called();
        if (errno == 0 ? result < 0 : result != -errno) {
            throw failed(call, path, name(result), name(-errno));
        }
        return result;
    }

    /** Reports a call that returned what it must not. */
    public Abandoned failed(String call, String path, String got, String expected) {
        outcome.failed(call, path, got, expected);
        return new Abandoned(call + " " + path);
    }

    /** A result in words. */
    public static String name(int result) {
        if (result >= 0) {
            return result == 0 ? "success" : Integer.toString(result);
        }
        for (Errno errno : Errno.values()) {
            if (errno.number() == -result) {
                return errno.name();
            }
        }
        return "errno " + -result;
    }

    /** open(2), which must succeed. */
    public int open(String path, int flags, int mode) {
        return must("open", path, calls.open(HERE, bytes(path), flags, mode));
    }

    /** close(2), which must succeed. */
    public void close(String path, int fd) {
        must("close", path, calls.close(fd));
    }

    /** stat(2), which must succeed. */
    public FileStatus stat(String path) {
        FileStatus status = calls.stat(HERE, bytes(path));
        must("stat", path, status == null ? -calls.errno() : 0);
        return status;
    }

    /** fstat(2), which must succeed. */
    public FileStatus stat(String path, int fd) {
        FileStatus status = calls.stat(fd);
        must("fstat", path, status == null ? -calls.errno() : 0);
        return status;
    }

    /** pwrite(2) of all of it at once. */
    public void write(String path, int fd, byte[] bytes, long offset) {
        int done = 0;
        while (done < bytes.length) {
            buffer.clear();
            int count = Math.min(BUFFER, bytes.length - done);
            buffer.put(bytes, done, count).flip();
            int written = must("write", path, calls.write(fd, buffer, offset < 0 ? offset : offset + done));
            if (written != count) {
                throw failed("write", path, Integer.toString(written), Integer.toString(count));
            }
            done += count;
        }
    }

    /** pread(2): as many bytes as there are, up to {@code length}, which is at most {@link #BUFFER}. */
    public byte[] read(String path, int fd, long offset, int length) {
        buffer.clear().limit(length);
        int count = must("read", path, calls.read(fd, buffer, offset));
        byte[] bytes = new byte[count];
        buffer.flip();
        buffer.get(bytes);
        return bytes;
    }

    /** What the file holds now, past the page cache where the filesystem lets that be asked for. */
    public byte[] content(String path, long size) {
        int fd = calls.open(HERE, bytes(path), O_RDONLY | TreeCalls.O_DIRECT, 0);
        if (fd == -Errno.EINVAL.number()) {
            fd = calls.open(HERE, bytes(path), O_RDONLY, 0);
        }
        must("open", path, fd);
        try {
            return content(path, fd, size);
        } finally {
            calls.close(fd);
        }
    }

    /** The same of an open file. */
    public byte[] content(String path, int fd, long size) {
        byte[] all = new byte[Math.toIntExact(size)];
        int done = 0;
        while (done < all.length) {
            byte[] part = read(path, fd, done, BUFFER);
            if (part.length == 0 || part.length > all.length - done) {
                throw failed(
                        "read", path, (done + part.length) + " bytes in all", "the " + all.length + " that fstat told");
            }
            System.arraycopy(part, 0, all, done, part.length);
            done += part.length;
        }
        return all;
    }

    /** All names in a directory as they are listed. */
    public List<String> list(String path) {
        int fd = open(path, O_RDONLY | TreeCalls.O_DIRECTORY, 0);
        try {
            List<String> names = new ArrayList<>();
            while (must("getdents", path, calls.entries(fd, entries)) > 0) {
                for (byte[] name = entries.next(); name != null; name = entries.next()) {
                    names.add(new String(name, StandardCharsets.UTF_8));
                }
            }
            return names;
        } finally {
            calls.close(fd);
        }
    }

    @Override
    public void close() {
        xattrs.close();
        calls.close();
    }
}
