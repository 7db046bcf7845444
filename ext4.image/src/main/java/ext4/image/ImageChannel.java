// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * The content of a regular file. A write past the end leaves a hole. Any thread may use it; what moves the position is
 * done one at a time, what names an offset runs side by side. The file lives until the channel is closed, even when it
 * is removed meanwhile.
 */
public final class ImageChannel implements SeekableByteChannel {
    /** What a channel was opened for. */
    record Access(boolean read, boolean write, boolean append, boolean sync) {}

    private final Session session;
    private final String path;
    private final int ino;
    private final Access access;
    private long position; // guarded by this
    private volatile boolean open = true; // written under this

    /** @param ino pinned once for this channel, which gives the pin back */
    ImageChannel(Session session, String path, int ino, Access access) {
        this.session = session;
        this.path = path;
        this.ino = ino;
        this.access = access;
    }

    @Override
    public synchronized int read(ByteBuffer dst) throws IOException {
        int count = read(dst, position);
        position += Math.max(count, 0);
        return count;
    }

    /** Reads at {@code offset}: the bytes read, -1 at the end of the file. The position stays. */
    public int read(ByteBuffer dst, long offset) throws IOException {
        checkOpen();
        if (!access.read) {
            throw new NonReadableChannelException();
        }
        if (!dst.hasRemaining()) {
            return 0;
        }
        int count = session.call(path, () -> session.fs.read(ino, offset, dst));
        return count == 0 ? -1 : count;
    }

    @Override
    public synchronized int write(ByteBuffer src) throws IOException {
        int count = write(src, position, access.append ? FileSystem.WRITE_APPEND : 0);
        position = access.append ? size() : position + count;
        return count;
    }

    /** Writes all of {@code src} at {@code offset}; the position stays. Not for a channel opened to append. */
    public int write(ByteBuffer src, long offset) throws IOException {
        if (access.append) {
            throw new NonWritableChannelException();
        }
        return write(src, offset, 0);
    }

    private int write(ByteBuffer src, long offset, int flags) throws IOException {
        checkOpen();
        if (!access.write) {
            throw new NonWritableChannelException();
        }
        if (offset < 0) {
            throw new IllegalArgumentException("offset " + offset);
        }
        int start = src.position();
        session.change(path, () -> {
            while (src.hasRemaining()) {
                session.fs.write(session.who, ino, offset + src.position() - start, src, flags);
            }
            if (access.sync) {
                session.fs.fsync(ino, false);
            }
        });
        return src.position() - start;
    }

    @Override
    public synchronized long position() throws IOException {
        checkOpen();
        return position;
    }

    @Override
    public synchronized ImageChannel position(long newPosition) throws IOException {
        checkOpen();
        if (newPosition < 0) {
            throw new IllegalArgumentException("position " + newPosition);
        }
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return session.call(path, () -> session.attributes(ino).size);
    }

    /** Cuts the file if it is longer; a shorter one stays, as the interface says. */
    @Override
    public synchronized ImageChannel truncate(long size) throws IOException {
        checkOpen();
        if (!access.write) {
            throw new NonWritableChannelException();
        }
        if (size < 0) {
            throw new IllegalArgumentException("size " + size);
        }
        session.change(path, () -> {
            if (size < session.attributes(ino).size) {
                Changes.setSize(session, ino, size);
            }
        });
        position = Math.min(position, size);
        return this;
    }

    /** The first offset from {@code offset} on that holds data, -1 if there is only hole up to the end. */
    public long nextData(long offset) throws IOException {
        return seek(offset, false);
    }

    /** The first offset from {@code offset} on that lies in a hole; the end of the file is one. -1 past the end. */
    public long nextHole(long offset) throws IOException {
        return seek(offset, true);
    }

    private long seek(long offset, boolean hole) throws IOException {
        checkOpen();
        return session.call(path, () -> {
            try {
                return session.fs.seek(ino, offset, hole);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENXIO) {
                    return -1L;
                }
                throw e;
            }
        });
    }

    /** Returns when what was written is durable: fsync(2). */
    public void force() throws IOException {
        checkOpen();
        session.change(path, () -> session.fs.fsync(ino, false));
    }

    private void checkOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            session.forget(ino);
        }
    }
}
