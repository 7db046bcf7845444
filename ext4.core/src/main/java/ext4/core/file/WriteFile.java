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
import java.nio.ByteBuffer;

/**
 * pwrite(2). Data goes to the device before the handle is closed that makes it reachable (data=ordered), and i_size grows
 * with the data, so a crash never shows blocks without their content nor leaves any past the end.
 */
public final class WriteFile {
    /** Most blocks allocated under one handle, so that a commit does not wait long for it. */
    private static final int MAX_BLOCKS = 4096;

    private final Engine engine;
    private final Volume volume;
    private final DeviceBytes bytes;
    private final Tail tail;
    private final LargeFile largeFile;
    private final Privileges privileges;
    private final int bits;

    WriteFile(Engine engine, Tail tail, LargeFile largeFile, Privileges privileges) {
        this.engine = engine;
        this.tail = tail;
        this.largeFile = largeFile;
        this.privileges = privileges;
        volume = engine.volume();
        bytes = new DeviceBytes(volume);
        bits = volume.superblock().blockBits();
    }

    /** See {@link FileSystem#write}. */
    public int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        volume.checkWritable();
        FileChecks.range(offset, src.remaining());
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.writeLock().lock();
            try {
                boolean append = (flags & FileSystem.WRITE_APPEND) != 0;
                FileChecks.regular(inode);
                FileChecks.mayChange(inode, append);
                long at = append ? inode.size : offset;
                return writeLocked(who, inode, at, src, (flags & FileSystem.WRITE_KILL_PRIVILEGES) != 0);
            } finally {
                inode.lock.writeLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    private int writeLocked(Credentials who, Inode inode, long at, ByteBuffer src, boolean killPrivileges) {
        if (!src.hasRemaining()) {
            return 0;
        }
        long max = engine.map().maxSize(inode);
        if (at >= max) {
            throw ErrnoException.of(Errno.EFBIG);
        }
        int count = (int) Math.min(src.remaining(), max - at);
        if (killPrivileges) {
            privileges.kill(inode);
        } else {
            privileges.killCapability(inode);
        }
        largeFile.ensure(at + count);
        if (at > inode.size) {
            tail.zero(inode, at);
        }
        return writeParts(who, inode, at, src, count);
    }

    /** Writes run by run. A failure after a part was written makes a short write, as for a full disk in write(2). */
    private int writeParts(Credentials who, Inode inode, long at, ByteBuffer src, int count) {
        int done = 0;
        boolean recorded = true;
        Mapping run = new Mapping();
        try {
            while (done < count) {
                long offset = at + done;
                engine.map().find(inode, offset >>> bits, run);
                if (run.written()) {
                    int part = (int) Math.min(count - done, bytes.end(run) - offset);
                    bytes.write(bytes.position(run, offset), src, part);
                    done += part;
                    recorded = false;
                } else {
                    done += run.hole()
                            ? fillHole(who, inode, run, offset, src, count - done)
                            : fillUnwritten(inode, run, offset, src, count - done);
                    recorded = true;
                }
            }
        } catch (ErrnoException e) {
            if (done == 0) {
                throw e;
            }
        }
        if (!recorded) {
            try (Handle handle = volume.start(HandleKind.INODE, InodeStore.CREDITS, 0)) {
                record(handle, inode, at + done);
            }
        }
        return done;
    }

    /** A failed attempt gives back what it took of {@code src}: the next one writes it again. */
    private int fillHole(Credentials who, Inode inode, Mapping hole, long offset, ByteBuffer src, int count) {
        int position = src.position();
        return engine.space().run(() -> {
            try (Handle handle = volume.start(HandleKind.ALLOCATE, engine.map().allocateCredits(inode), 0)) {
                long wanted = Math.min(Math.min(hole.count, MAX_BLOCKS), blocks(offset, count));
                Run run = new Run();
                engine.map().allocate(handle, who, inode, hole.lblk, wanted, run);
                int part = part(offset, count, run.count);
                putOrFree(handle, run, offset, src, part);
                engine.map().insert(handle, who, inode, hole.lblk, run, false);
                record(handle, inode, offset + part);
                return part;
            } catch (ErrnoException e) {
                src.position(position);
                throw e;
            }
        });
    }

    private void putOrFree(Handle handle, Run run, long offset, ByteBuffer src, int part) {
        int position = src.position();
        try {
            putPadded(run.pblk << bits, run.count, offset, src, part);
        } catch (RuntimeException e) {
            src.position(position);
            engine.blocks().free(handle, run.pblk, run.count);
            throw e;
        }
    }

    private int fillUnwritten(Inode inode, Mapping run, long offset, ByteBuffer src, int count) {
        int blocks = (int) Math.min(Math.min(run.count, MAX_BLOCKS), blocks(offset, count));
        int part = part(offset, count, blocks);
        int position = src.position();
        putPadded(run.pblk << bits, blocks, offset, src, part);
        try {
            engine.space().run(() -> markWritten(inode, run.lblk, blocks, offset + part));
        } catch (ErrnoException e) {
            src.position(position);
            throw e;
        }
        return part;
    }

    private void markWritten(Inode inode, long lblk, int blocks, long end) {
        try (Handle handle = volume.start(HandleKind.ALLOCATE, engine.map().stateCredits(inode), 0)) {
            long done = engine.map().setState(handle, inode, lblk, blocks, false);
            if (done != blocks) {
                throw new IllegalStateException(inode + ": " + done + " of " + blocks + " blocks became written");
            }
            record(handle, inode, end);
        }
    }

    /** Writes {@code part} bytes into fresh blocks, zeros before and behind them. */
    private void putPadded(long position, int blocks, long offset, ByteBuffer src, int part) {
        int head = (int) (offset & volume.blockSize() - 1);
        int written = bytes.writeBlocks(position, head, src, part);
        bytes.zero(position + ((long) written << bits), (long) (blocks - written) << bits);
    }

    private void record(Handle handle, Inode inode, long end) {
        inode.size = Math.max(inode.size, end);
        Times.modified(inode, volume.clock().nanos());
        engine.records().writeMapping(handle, inode);
    }

    /** Blocks that {@code count} bytes from {@code offset} on touch. */
    private long blocks(long offset, int count) {
        return ((offset + count - 1) >>> bits) - (offset >>> bits) + 1;
    }

    /** Bytes of {@code count} that fit into so many blocks from the one {@code offset} is in. */
    private int part(long offset, int count, int blocks) {
        int head = (int) (offset & volume.blockSize() - 1);
        return (int) Math.min(count, ((long) blocks << bits) - head);
    }
}
