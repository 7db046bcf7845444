// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Replies.LseekOut;
import ext4.fuse.wire.Replies.WriteOut;
import ext4.fuse.wire.Requests.Fallocate;
import ext4.fuse.wire.Requests.Fsync;
import ext4.fuse.wire.Requests.Lseek;
import ext4.fuse.wire.Requests.Read;
import ext4.fuse.wire.Requests.Write;
import java.nio.ByteBuffer;

/** Requests on the contents of files. Data goes between the reader's buffers and the filesystem without a copy. */
final class FileRequests {
    private final FileSystem fs;

    FileRequests(FileSystem fs) {
        this.fs = fs;
    }

    void read(Request q, Reply r) {
        ByteBuffer room = r.view(q.int32(Read.COUNT));
        r.body(fs.read(q.ino(), q.int64(Read.OFFSET), room));
    }

    void write(Request q, Reply r) {
        int asked = q.int32(Write.WRITE_FLAGS);
        int flags = 0;
        if ((q.int32(Write.FLAGS) & Write.O_APPEND) != 0 && (asked & Write.WRITE_CACHE) == 0) {
            flags |= FileSystem.WRITE_APPEND;
        }
        if ((asked & Write.WRITE_KILL_SUIDGID) != 0) {
            flags |= FileSystem.WRITE_KILL_PRIVILEGES;
        }
        ByteBuffer data = q.view(Write.SIZE, q.int32(Write.COUNT));
        int count = fs.write(q.who(), q.ino(), q.int64(Write.OFFSET), data, flags);
        r.int64(WriteOut.COUNT, count).body(WriteOut.SIZE);
    }

    void fsync(Request q, Reply r) {
        fs.fsync(q.ino(), (q.int32(Fsync.FSYNC_FLAGS) & Fsync.FDATASYNC) != 0);
    }

    void fallocate(Request q, Reply r) {
        long offset = q.int64(Fallocate.OFFSET);
        fs.fallocate(q.who(), q.ino(), q.int32(Fallocate.MODE), offset, q.int64(Fallocate.LENGTH));
    }

    void lseek(Request q, Reply r) {
        int whence = q.int32(Lseek.WHENCE);
        if (whence != Lseek.SEEK_DATA && whence != Lseek.SEEK_HOLE) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        long found = fs.seek(q.ino(), q.int64(Lseek.OFFSET), whence == Lseek.SEEK_HOLE);
        r.int64(LseekOut.OFFSET, found).body(LseekOut.SIZE);
    }
}
