// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.extent.Mapping;
import ext4.core.inode.Inode;

/** lseek(2) with SEEK_DATA and SEEK_HOLE. Unwritten blocks count as hole, and the end of the file is one. */
public final class SeekFile {
    private final Engine engine;
    private final int bits;

    SeekFile(Engine engine) {
        this.engine = engine;
        bits = engine.volume().superblock().blockBits();
    }

    /** See {@link ext4.api.fs.FileSystem#seek}. */
    public long seek(int ino, long offset, boolean hole) {
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.readLock().lock();
            try {
                FileChecks.regular(inode);
                if (offset < 0 || offset >= inode.size) {
                    throw ErrnoException.of(Errno.ENXIO);
                }
                return seekLocked(inode, offset, hole);
            } finally {
                inode.lock.readLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    private long seekLocked(Inode inode, long offset, boolean hole) {
        Mapping run = new Mapping();
        for (long at = offset; at < inode.size; ) {
            engine.map().find(inode, at >>> bits, run);
            if (run.written() != hole) {
                return at;
            }
            at = (run.lblk + run.count) << bits;
        }
        if (hole) {
            return inode.size;
        }
        throw ErrnoException.of(Errno.ENXIO);
    }
}
