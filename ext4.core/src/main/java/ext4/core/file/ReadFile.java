// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.core.extent.Mapping;
import ext4.core.inode.Inode;
import java.nio.ByteBuffer;

/** pread(2). Readers of one file run side by side. */
public final class ReadFile {
    private final Engine engine;
    private final DeviceBytes bytes;
    private final AccessTime accessTime;

    /** Works on these parts. */
    public ReadFile(Engine engine, AccessTime accessTime) {
        this.engine = engine;
        this.accessTime = accessTime;
        bytes = new DeviceBytes(engine.volume());
    }

    /** See {@link ext4.api.fs.FileSystem#read}. */
    public int read(int ino, long offset, ByteBuffer dst) {
        FileChecks.range(offset, dst.remaining());
        Inode inode = engine.inodes().get(ino);
        try {
            boolean asked = dst.hasRemaining();
            int count;
            inode.lock.readLock().lock();
            try {
                FileChecks.regular(inode);
                long end = Math.min(inode.size, engine.map().maxSize(inode)); // as the kernel: nothing lies behind
                count = (int) Math.min(dst.remaining(), Math.max(0, end - offset));
                copy(inode, offset, dst, count);
            } finally {
                inode.lock.readLock().unlock();
            }
            if (asked && offset < engine.map().maxSize()) { // at the end of the file too, but not where no file reaches
                accessTime.read(inode);
            }
            return count;
        } finally {
            engine.inodes().put(inode);
        }
    }

    /** Copies bytes that lie below i_size. The inode's lock is held. */
    void copy(Inode inode, long offset, ByteBuffer dst, int count) {
        Mapping run = new Mapping();
        long at = offset;
        for (int left = count; left > 0; ) {
            engine.map().find(inode, at >>> engine.volume().superblock().blockBits(), run);
            int part = (int) Math.min(left, bytes.end(run) - at);
            if (run.written()) {
                bytes.read(bytes.position(run, at), dst, part);
            } else {
                DeviceBytes.putZeros(dst, part);
            }
            at += part;
            left -= part;
        }
    }
}
