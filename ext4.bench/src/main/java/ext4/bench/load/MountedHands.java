// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import ext4.sys.FileCalls;
import ext4.sys.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A task's hands on a mount point. Names are written into one segment again and again: nothing is allocated a call. */
final class MountedHands implements Hands {
    private static final int LISTING_BYTES = 32 << 10;
    private static final int NAME_BYTES = 64;
    /** struct linux_dirent64: d_reclen, d_name, see getdents64(2). */
    private static final int RECORD_LENGTH = 16;

    private static final int NAME = 19;
    /** struct statx: stx_mode. */
    private static final int STATX_MODE = 28;

    private static final int S_IFMT = 0xF000;
    private static final int S_IFREG = 0x8000;

    private final Arena arena = Arena.ofConfined();
    private final FileCalls calls = new FileCalls(arena);
    private final MemorySegment listing = arena.allocate(LISTING_BYTES, Long.BYTES);
    private final MemorySegment statx = arena.allocate(FileCalls.STATX_BYTES, Long.BYTES);
    private final MemorySegment name = arena.allocate(NAME_BYTES);
    private final byte[] text = new byte[NAME_BYTES];
    private final Map<Integer, Integer> directories = new HashMap<>();
    private final int root;
    private final int task;
    private int own = -1;

    MountedHands(Path root, int task) {
        this.task = task;
        MemorySegment path = arena.allocateFrom(root.toString());
        this.root = checked("open " + root, calls.open(FileCalls.AT_FDCWD, path, FileCalls.O_DIRECTORY, 0));
    }

    @Override
    public void makeDirectory(int directory) {
        checked("mkdir", calls.mkdir(root, name('d', directory), 0755));
    }

    @Override
    public void removeDirectory(int directory) {
        Integer fd = directories.remove(directory);
        if (fd != null) {
            checked("close", calls.close(fd));
        }
        checked("rmdir", calls.unlink(root, name('d', directory), FileCalls.AT_REMOVEDIR));
    }

    @Override
    public void create(int directory, int file) {
        int flags = FileCalls.O_CREAT | FileCalls.O_EXCL | FileCalls.O_WRONLY;
        int fd = checked("create", calls.open(directory(directory), name('f', file), flags, 0644));
        checked("close", calls.close(fd));
    }

    @Override
    public long walk(int directory) {
        int fd = directory(directory);
        checked("lseek", (int) calls.rewind(fd));
        long found = 0;
        int filled;
        while ((filled = checked("getdents64", (int) calls.getdents(fd, listing))) > 0) {
            for (int at = 0; at < filled; at += listing.get(JAVA_SHORT, at + RECORD_LENGTH) & 0xFFFF) {
                if (listing.get(JAVA_BYTE, at + NAME) == '.') {
                    continue; // the directory and its parent; no file of a load begins so
                }
                checked("stat", calls.stat(fd, listing.asSlice(at + NAME), statx));
                if ((statx.get(JAVA_SHORT, STATX_MODE) & S_IFMT) == S_IFREG) {
                    found++;
                }
            }
        }
        return found;
    }

    @Override
    public void unlink(int directory, int file) {
        checked("unlink", calls.unlink(directory(directory), name('f', file), 0));
    }

    @Override
    public void openOwn() {
        int flags = FileCalls.O_CREAT | FileCalls.O_EXCL | FileCalls.O_WRONLY;
        own = checked("create", calls.open(root, name('o', task), flags, 0644));
    }

    @Override
    public void chown(int owner) {
        checked("fchown", calls.fchown(own, owner, owner));
    }

    @Override
    public void removeOwn() {
        checked("close", calls.close(own));
        own = -1;
        checked("unlink", calls.unlink(root, name('o', task), 0));
    }

    @Override
    public void close() {
        directories.values().forEach(calls::close);
        if (own >= 0) {
            calls.close(own);
        }
        calls.close(root);
        arena.close();
    }

    private int directory(int directory) {
        Integer fd = directories.get(directory);
        if (fd == null) {
            fd = checked("open", calls.open(root, name('d', directory), FileCalls.O_DIRECTORY, 0));
            directories.put(directory, fd);
        }
        return fd;
    }

    private MemorySegment name(char kind, int number) {
        int length = Names.put(text, kind, number);
        text[length] = 0;
        MemorySegment.copy(text, 0, name, JAVA_BYTE, 0, length + 1);
        return name;
    }

    private int checked(String call, int result) {
        if (result < 0) {
            throw new FailedCall(
                    call + " (" + new String(text, 0, 8, StandardCharsets.US_ASCII) + ")", Linux.errorText(-result));
        }
        return result;
    }
}
