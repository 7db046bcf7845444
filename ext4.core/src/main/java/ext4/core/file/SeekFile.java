// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.extent.Mapping;
import ext4.core.inode.Inode;

/** lseek(2) with SEEK_DATA and SEEK_HOLE. Unwritten blocks count as hole, and the end of the file is one. */
public final class SeekFile {
    /** Steps over the holes of the largest block map. */
    private static final long SPARSE = 1L << 21;

    private final Engine engine;
    private final int bits;
    /** Runs and holes of a file, each of them ended by a block or a block of pointers: a map that shares them has more. */
    private final long mostRuns;

    SeekFile(Engine engine) {
        this.engine = engine;
        bits = engine.volume().superblock().blockBits();
        mostRuns = SPARSE + 4 * engine.volume().superblock().blocksCount();
    }

    /** See {@link ext4.api.fs.FileSystem#seek}. */
    public long seek(int ino, long offset, boolean hole) {
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.readLock().lock();
            try {
                FileChecks.regular(inode);
                long size = Math.min(inode.size, engine.map().maxSize(inode));
                if (offset < 0 || offset >= size) {
                    throw ErrnoException.of(Errno.ENXIO);
                }
                return seekLocked(inode, offset, size, hole);
            } finally {
                inode.lock.readLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    private long seekLocked(Inode inode, long offset, long size, boolean hole) {
        Mapping run = new Mapping();
        long steps = 0;
        for (long at = offset; at < size; ) {
            if (++steps > mostRuns) {
                throw new CorruptException(
                        inode.toString(), -1, "runs of its map", "more than " + mostRuns, "fewer than blocks exist");
            }
            engine.map().find(inode, at >>> bits, run);
            if (run.written() != hole) {
                return at;
            }
            at = (run.lblk + run.count) << bits;
        }
        if (hole) {
            return size;
        }
        throw ErrnoException.of(Errno.ENXIO);
    }
}
