// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import ext4.sys.FileCalls;
import ext4.sys.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A directory of the operating system, through system calls. */
public final class MountedPlace implements Place {
    private static final long LOOK_AGAIN_NANOS = 200_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path root;

    /** @param root an absolute path */
    public MountedPlace(Path root) {
        this.root = root;
    }

    @Override
    public Hands hands(int task) {
        return new MountedHands(root, task);
    }

    @Override
    public long usedInodes() {
        try (Arena arena = Arena.ofConfined()) {
            return usedInodes(new FileCalls(arena), arena.allocateFrom(root.toString()));
        }
    }

    private long usedInodes(FileCalls calls, MemorySegment path) {
        long used = calls.usedInodes(path);
        if (used < 0) {
            throw new FailedCall("statvfs " + root, Linux.errorText((int) -used));
        }
        return used;
    }

    /** The kernel sends FORGET after unlink(2) returned, so this takes a moment on a FUSE mount. */
    @Override
    public void awaitUsedInodes(long used) {
        try (Arena arena = Arena.ofConfined()) {
            FileCalls calls = new FileCalls(arena);
            MemorySegment path = arena.allocateFrom(root.toString());
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            long now;
            while ((now = usedInodes(calls, path)) > used) {
                if (System.nanoTime() > deadline) {
                    throw new FailedCall("statvfs " + root, now + " inodes are in use, " + used + " should be");
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    /** By fsync(2) of the directory, which commits: a FUSE mount is not told of syncfs(2). */
    @Override
    public void settle() {
        try (Arena arena = Arena.ofConfined()) {
            FileCalls calls = new FileCalls(arena);
            int fd = calls.open(FileCalls.AT_FDCWD, arena.allocateFrom(root.toString()), FileCalls.O_DIRECTORY, 0);
            int result = fd < 0 ? fd : calls.fsync(fd);
            if (fd >= 0) {
                calls.close(fd);
            }
            if (result < 0) {
                throw new FailedCall("fsync " + root, Linux.errorText(-result));
            }
        }
    }
}
