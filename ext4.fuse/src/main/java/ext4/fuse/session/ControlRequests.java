// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;
import ext4.fuse.wire.Replies.IoctlOut;
import ext4.fuse.wire.Replies.OpenOut;
import ext4.fuse.wire.Replies.StatfsOut;
import ext4.fuse.wire.Requests.BatchForget;
import ext4.fuse.wire.Requests.Forget;
import ext4.fuse.wire.Requests.Ioctl;

/** Pins, opens, and the filesystem as a whole. */
final class ControlRequests {
    private final FileSystem fs;
    private final boolean needsOpen;
    private final boolean needsOpendir;

    /**
     * @param needsOpen the kernel does not know that ENOSYS means no OPEN is needed
     * @param needsOpendir the same for OPENDIR
     */
    ControlRequests(FileSystem fs, boolean needsOpen, boolean needsOpendir) {
        this.fs = fs;
        this.needsOpen = needsOpen;
        this.needsOpendir = needsOpendir;
    }

    void forget(Request q, Reply r) {
        fs.forget(q.ino(), q.int64(Forget.NLOOKUP));
    }

    void batchForget(Request q, Reply r) {
        int count = Math.min(q.int32(BatchForget.COUNT), (q.bodyLength() - BatchForget.SIZE) / BatchForget.ONE_SIZE);
        for (int i = 0; i < count; i++) {
            int at = BatchForget.SIZE + i * BatchForget.ONE_SIZE;
            int ino = Request.ino(q.int64(at + BatchForget.ONE_NODEID));
            fs.forget(ino, q.int64(at + BatchForget.ONE_NLOOKUP));
        }
    }

    void open(Request q, Reply r) {
        open(r, needsOpen);
    }

    void opendir(Request q, Reply r) {
        open(r, needsOpendir);
    }

    private static void open(Reply r, boolean needed) {
        if (!needed) {
            throw ErrnoException.of(Errno.ENOSYS);
        }
        r.zero(0, OpenOut.SIZE)
                .int32(OpenOut.OPEN_FLAGS, OpenOut.FOPEN_KEEP_CACHE)
                .body(OpenOut.SIZE);
    }

    void statfs(Request q, Reply r) {
        StatFs s = fs.statfs();
        r.zero(0, StatfsOut.SIZE)
                .int64(StatfsOut.BLOCKS, s.blocks())
                .int64(StatfsOut.BFREE, s.free())
                .int64(StatfsOut.BAVAIL, s.available())
                .int64(StatfsOut.FILES, s.files())
                .int64(StatfsOut.FFREE, s.filesFree())
                .int32(StatfsOut.BSIZE, s.blockSize())
                .int32(StatfsOut.NAMELEN, s.nameMax())
                .int32(StatfsOut.FRSIZE, s.blockSize())
                .body(StatfsOut.SIZE);
    }

    void syncfs(Request q, Reply r) {
        fs.syncfs();
    }

    /** FS_IOC_GETFLAGS for lsattr(1); the kernel makes ENOTTY of ENOSYS, and asks again for the next. */
    void ioctl(Request q, Reply r) {
        if (q.int32(Ioctl.CMD) != Ioctl.FS_IOC_GETFLAGS || q.int32(Ioctl.OUT_SIZE) < Integer.BYTES) {
            throw ErrnoException.of(Errno.ENOSYS);
        }
        fs.getattr(q.ino(), r.attributes);
        r.zero(0, IoctlOut.SIZE).int32(IoctlOut.SIZE, r.attributes.flags).body(IoctlOut.SIZE + Integer.BYTES);
    }

    /** RELEASE of what CREATE opened, DESTROY: nothing is held for them. */
    void nothing(Request q, Reply r) {}

    /** What this server does without: the kernel then does it itself or says so to the caller. */
    void notImplemented(Request q, Reply r) {
        throw ErrnoException.of(Errno.ENOSYS);
    }
}
