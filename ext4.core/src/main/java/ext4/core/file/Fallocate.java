// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.alloc.Run;
import ext4.core.extent.Mapping;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;
import ext4.format.inode.InodeFlags;

/** fallocate(2): preallocation, FALLOC_FL_PUNCH_HOLE and FALLOC_FL_ZERO_RANGE. */
public final class Fallocate {
    private static final int SUPPORTED =
            FileSystem.FALLOC_KEEP_SIZE | FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_ZERO_RANGE;

    private static final int COLLAPSE_RANGE = 0x08;
    private static final int INSERT_RANGE = 0x20;
    private static final int UNSHARE_RANGE = 0x40;
    private static final int WRITE_ZEROES = 0x80;
    /** Modes of which one at most is given, and not with FALLOC_FL_KEEP_SIZE. */
    private static final int WITHOUT_KEEP_SIZE = COLLAPSE_RANGE | INSERT_RANGE | WRITE_ZEROES;

    /** Modes of which one at most is given. */
    private static final int EXCLUSIVE =
            FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_ZERO_RANGE | UNSHARE_RANGE | WITHOUT_KEEP_SIZE;

    private static final long PAGE = 4096;

    private final Engine engine;
    private final Volume volume;
    private final Tail tail;
    private final LargeFile largeFile;
    private final Privileges privileges;
    private final DeviceBytes bytes;
    private final int bits;

    Fallocate(Engine engine, Tail tail, LargeFile largeFile, Privileges privileges) {
        this.engine = engine;
        this.tail = tail;
        this.largeFile = largeFile;
        this.privileges = privileges;
        volume = engine.volume();
        bytes = new DeviceBytes(volume);
        bits = volume.superblock().blockBits();
    }

    /** See {@link FileSystem#fallocate}. */
    public void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        volume.checkWritable();
        if (offset < 0 || length <= 0) {
            throw ErrnoException.of(Errno.EINVAL); // before the mode, as the kernel's
        }
        checkMode(mode);
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.writeLock().lock();
            try {
                FileChecks.regular(inode);
                FileChecks.mayChange(inode, mode == 0 || mode == FileSystem.FALLOC_KEEP_SIZE);
                if (length > engine.map().maxSize() - offset) { // also where the file's own map ends before
                    throw ErrnoException.of(Errno.EFBIG);
                }
                refuseIf((mode & ~SUPPORTED) != 0);
                privileges.killBy(who, inode);
                if (!inode.hasFlag(InodeFlags.EXTENTS) && (mode & FileSystem.FALLOC_PUNCH_HOLE) == 0) {
                    refuse(inode);
                }
                apply(who, inode, mode, offset, offset + length);
            } finally {
                inode.lock.writeLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    /** A block map has no unwritten blocks. The kernel changes the times before it says so. */
    private void refuse(Inode inode) {
        try (Handle handle = volume.start(HandleKind.INODE, InodeStore.CREDITS, 0)) {
            finish(handle, inode);
        }
        throw ErrnoException.of(Errno.EOPNOTSUPP);
    }

    /** What no filesystem of Linux takes; what others take and this one does not is refused after the file was looked at. */
    private static void checkMode(int mode) {
        boolean keep = (mode & FileSystem.FALLOC_KEEP_SIZE) != 0;
        refuseIf((mode & ~(EXCLUSIVE | FileSystem.FALLOC_KEEP_SIZE)) != 0);
        refuseIf(Integer.bitCount(mode & EXCLUSIVE) > 1);
        refuseIf((mode & FileSystem.FALLOC_PUNCH_HOLE) != 0 && !keep);
        refuseIf((mode & WITHOUT_KEEP_SIZE) != 0 && keep);
    }

    private static void refuseIf(boolean unsupported) {
        if (unsupported) {
            throw ErrnoException.of(Errno.EOPNOTSUPP);
        }
    }

    private void apply(Credentials who, Inode inode, int mode, long from, long to) {
        if ((mode & FileSystem.FALLOC_PUNCH_HOLE) != 0) {
            punch(inode, from, to);
            return;
        }
        boolean keep = (mode & FileSystem.FALLOC_KEEP_SIZE) != 0;
        if (!keep) {
            largeFile.ensure(to);
        }
        if (!keep && to > inode.size) {
            tail.zero(inode, to);
        }
        if ((mode & FileSystem.FALLOC_ZERO_RANGE) != 0) {
            zeroEdges(inode, from, to);
            makeUnwritten(inode, ceil(from), floor(to));
        }
        preallocate(who, inode, from >>> bits, ceil(to));
        try (Handle handle = volume.start(HandleKind.INODE, InodeStore.CREDITS, 0)) {
            if (!keep && to > inode.size) {
                inode.size = to;
            }
            finish(handle, inode);
        }
    }

    private void finish(Handle handle, Inode inode) {
        Times.modified(inode, volume.clock().nanos());
        engine.records().writeMapping(handle, inode);
    }

    /** Fills holes with unwritten blocks, a run a transaction. */
    private void preallocate(Credentials who, Inode inode, long from, long to) {
        Mapping run = new Mapping();
        for (long at = from; at < to; at += run.count) {
            engine.map().find(inode, at, run);
            if (run.hole()) {
                run.count = allocate(who, inode, at, Math.min(run.count, to - at));
            }
        }
    }

    private long allocate(Credentials who, Inode inode, long lblk, long wanted) {
        return engine.space().run(() -> {
            try (Handle handle = volume.start(HandleKind.ALLOCATE, engine.map().allocateCredits(inode), 0)) {
                Run run = new Run();
                engine.map().allocate(handle, who, inode, lblk, wanted, run);
                engine.map().insert(handle, who, inode, lblk, run, true);
                engine.records().writeMapping(handle, inode);
                return (long) run.count;
            }
        });
    }

    private void makeUnwritten(Inode inode, long from, long to) {
        Mapping run = new Mapping();
        for (long at = from; at < to; at += run.count) {
            engine.map().find(inode, at, run);
            if (run.written()) {
                long lblk = at;
                long wanted = Math.min(run.count, to - at);
                run.count = engine.space().run(() -> setUnwritten(inode, lblk, wanted));
            }
        }
    }

    private long setUnwritten(Inode inode, long lblk, long count) {
        try (Handle handle = volume.start(HandleKind.ALLOCATE, engine.map().stateCredits(inode), 0)) {
            long done = engine.map().setState(handle, inode, lblk, count, true);
            engine.records().writeMapping(handle, inode);
            return done;
        }
    }

    /** As the kernel's: what was allocated behind the end of the file stays, but for the page of the end. */
    private void punch(Inode inode, long from, long wanted) {
        long to = from >= inode.size ? from : wanted > inode.size ? (inode.size + PAGE - 1) / PAGE * PAGE : wanted;
        zeroEdges(inode, from, to);
        engine.space().run(() -> {
            int credits = engine.map().removeCredits(inode) + InodeStore.CREDITS;
            try (Handle handle = volume.startSpanning(HandleKind.TRUNCATE, credits, 0)) {
                if (ceil(from) < floor(to)) {
                    engine.map().remove(handle, inode, ceil(from), floor(to), 0);
                }
                finish(handle, inode);
            }
        });
    }

    /** Zeroes the parts of the first and last block that the range covers only partly. */
    private void zeroEdges(Inode inode, long from, long to) {
        if (from >>> bits == to >>> bits) {
            zeroPart(inode, from, to);
            return;
        }
        zeroPart(inode, from, ceil(from) << bits);
        zeroPart(inode, floor(to) << bits, to);
    }

    private void zeroPart(Inode inode, long from, long to) {
        if (from >= to) {
            return;
        }
        Mapping run = new Mapping();
        engine.map().find(inode, from >>> bits, run);
        if (run.written()) {
            bytes.zero(bytes.position(run, from), to - from);
        }
    }

    private long ceil(long offset) {
        return (offset + volume.blockSize() - 1) >>> bits;
    }

    private long floor(long offset) {
        return offset >>> bits;
    }
}
