// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.api.block.BlockDevice;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A sparse image file as a device; counts what is written. */
public final class ImageFile implements BlockDevice {
    private final Path path;
    private final RandomAccessFile file;
    private final FileChannel channel;
    private final long size;
    private long written;

    /** Makes the file with {@code size} zero bytes; opens it as it is if that is negative. */
    public ImageFile(Path path, long size) throws IOException {
        this.path = path;
        file = new RandomAccessFile(path.toFile(), "rw");
        if (size >= 0) {
            file.setLength(0);
            file.setLength(size);
        }
        channel = file.getChannel();
        this.size = channel.size();
    }

    /** Bytes written so far. */
    public long written() {
        return written;
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        try {
            for (long at = offset; dst.hasRemaining(); ) {
                int count = channel.read(dst, at);
                if (count < 0) {
                    throw new IllegalStateException("read behind the end at " + at);
                }
                at += count;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        if (offset < 0 || offset + src.remaining() > size) {
            throw new IllegalStateException("write outside the device at " + offset);
        }
        written += src.remaining();
        try {
            for (long at = offset; src.hasRemaining(); ) {
                at += channel.write(src, at);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void flush() {
        // the tests read the file back through the same page cache
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
