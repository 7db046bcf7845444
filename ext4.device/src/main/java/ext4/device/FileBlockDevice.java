// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/**
 * An image file or a block special file, through positional reads and writes of a {@link FileChannel}.
 *
 * <p>Interrupting a thread in channel I/O closes the channel for everybody. The device answers that by opening the file
 * again and repeating the transfer; the interrupted thread gets its interrupt status back afterwards.
 */
final class FileBlockDevice implements BlockDevice {
    /** Opens the file anew, with the lock that keeps other processes out. */
    @FunctionalInterface
    interface Opener {
        FileChannel open() throws IOException;
    }

    @FunctionalInterface
    private interface Transfer {
        int apply(FileChannel channel) throws IOException;
    }

    private static final int ZERO_STEP = 1 << 18;

    private final String name;
    private final long size;
    private final boolean readOnly;
    private final boolean sparse;
    private final Opener opener;
    private final Runnable onClose;
    private final Object reopening = new Object();
    private volatile FileChannel channel; // replaced under reopening
    private volatile boolean closed; // written under reopening

    /**
     * @param sparse whether the file may have holes, so that zeroing what is already zero is to be avoided
     * @param onClose run once when the device is closed
     */
    FileBlockDevice(String name, boolean readOnly, boolean sparse, Opener opener, Runnable onClose) throws IOException {
        this.name = name;
        this.readOnly = readOnly;
        this.sparse = sparse;
        this.opener = opener;
        this.onClose = onClose;
        this.channel = opener.open();
        try {
            this.size = channel.size();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        checkRange("read", offset, dst.remaining());
        long at = offset;
        while (dst.hasRemaining()) {
            long here = at;
            int count = transfer("read", here, c -> c.read(dst, here));
            if (count < 0) {
                throw new DeviceException(name + ": read at " + here + ": the file has become shorter than " + size);
            }
            at += count;
        }
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        checkWritable("write", offset);
        checkRange("write", offset, src.remaining());
        long at = offset;
        while (src.hasRemaining()) {
            long here = at;
            at += transfer("write", here, c -> c.write(src, here));
        }
    }

    @Override
    public void flush() {
        transfer("flush", 0, c -> {
            if (!readOnly) {
                c.force(false);
            }
            return 0;
        });
    }

    /** Writes zeros, but leaves alone what reads as zeros already, so a sparse image stays sparse. */
    @Override
    public void zero(long offset, long length) {
        checkWritable("zero", offset);
        checkRange("zero", offset, length);
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(length, ZERO_STEP));
        ByteBuffer found = sparse ? ByteBuffer.allocateDirect(zeros.capacity()) : null;
        for (long done = 0; done < length; ) {
            int step = (int) Math.min(zeros.capacity(), length - done);
            zeros.clear().limit(step);
            if (found == null || !readsAsZeros(offset + done, found.clear().limit(step), zeros)) {
                write(offset + done, zeros);
            }
            done += step;
        }
    }

    private boolean readsAsZeros(long offset, ByteBuffer found, ByteBuffer zeros) {
        read(offset, found);
        return found.flip().equals(zeros);
    }

    @Override
    public void close() {
        synchronized (reopening) {
            if (closed) {
                return;
            }
            closed = true;
            try {
                channel.close();
            } catch (IOException e) {
                throw new DeviceException(name + ": close: " + e.getMessage(), e);
            } finally {
                onClose.run();
            }
        }
    }

    private int transfer(String operation, long offset, Transfer transfer) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return transfer.apply(channel);
                } catch (AsynchronousCloseException e) {
                    // this thread was interrupted, or another one while this one was inside
                    interrupted |= Thread.interrupted();
                    reopen(operation, offset);
                } catch (ClosedChannelException e) {
                    reopen(operation, offset);
                } catch (IOException e) {
                    throw new DeviceException(name + ": " + operation + " at " + offset + ": " + e.getMessage(), e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void reopen(String operation, long offset) {
        synchronized (reopening) {
            if (closed) {
                throw new DeviceException(name + ": " + operation + " at " + offset + ": the device is closed");
            }
            if (!channel.isOpen()) {
                try {
                    channel = opener.open();
                } catch (IOException e) {
                    throw new DeviceException(name + ": " + operation + " at " + offset + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private void checkWritable(String operation, long offset) {
        if (readOnly) {
            throw new DeviceException(name + ": " + operation + " at " + offset + ": the device is open read-only");
        }
    }

    private void checkRange(String operation, long offset, long length) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new DeviceException(
                    name + ": " + operation + " at " + offset + " of " + length + " bytes is outside its " + size);
        }
    }
}
