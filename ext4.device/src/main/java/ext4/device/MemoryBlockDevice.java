// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A device in memory. Only what was written takes room, in pieces of 64 KiB, so a size in terabytes costs little.
 * Threads that write the same bytes at once leave either's.
 */
public final class MemoryBlockDevice implements BlockDevice {
    private static final int PIECE_SHIFT = 16;
    private static final int PIECE = 1 << PIECE_SHIFT;
    private static final int TABLE_SHIFT = 12;
    private static final int TABLE = 1 << TABLE_SHIFT;

    private final String name;
    private final long size;
    private final AtomicReferenceArray<AtomicReferenceArray<byte[]>> tables;
    private volatile boolean closed;

    /** @param size in bytes */
    public MemoryBlockDevice(String name, long size) {
        if (size < 0 || size >> (PIECE_SHIFT + TABLE_SHIFT) >= Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("size " + size);
        }
        this.name = name;
        this.size = size;
        this.tables = new AtomicReferenceArray<>((int) (size >> (PIECE_SHIFT + TABLE_SHIFT)) + 1);
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
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        check("read", offset, dst.remaining());
        for (long at = offset; dst.hasRemaining(); ) {
            int within = (int) (at & (PIECE - 1));
            int count = Math.min(PIECE - within, dst.remaining());
            byte[] piece = piece(at, false);
            if (piece != null) {
                dst.put(piece, within, count);
            } else {
                for (int i = 0; i < count; i++) {
                    dst.put((byte) 0);
                }
            }
            at += count;
        }
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        check("write", offset, src.remaining());
        for (long at = offset; src.hasRemaining(); ) {
            int within = (int) (at & (PIECE - 1));
            int count = Math.min(PIECE - within, src.remaining());
            src.get(piece(at, true), within, count);
            at += count;
        }
    }

    @Override
    public void flush() {
        check("flush", 0, 0);
    }

    @Override
    public void discard(long offset, long length) {
        zero(offset, length);
    }

    @Override
    public void zero(long offset, long length) {
        check("zero", offset, length);
        for (long at = offset; at < offset + length; ) {
            int within = (int) (at & (PIECE - 1));
            int count = (int) Math.min(PIECE - within, offset + length - at);
            byte[] piece = piece(at, false);
            if (piece != null) {
                if (count == PIECE) {
                    tables.get(table(at)).set(slot(at), null);
                } else {
                    Arrays.fill(piece, within, within + count, (byte) 0);
                }
            }
            at += count;
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Bytes of memory taken by what was written. */
    public long allocatedBytes() {
        long pieces = 0;
        for (int t = 0; t < tables.length(); t++) {
            AtomicReferenceArray<byte[]> table = tables.get(t);
            for (int s = 0; table != null && s < TABLE; s++) {
                pieces += table.get(s) != null ? 1 : 0;
            }
        }
        return pieces << PIECE_SHIFT;
    }

    private byte[] piece(long at, boolean make) {
        int t = table(at);
        AtomicReferenceArray<byte[]> table = tables.get(t);
        if (table == null) {
            if (!make) {
                return null;
            }
            tables.compareAndSet(t, null, new AtomicReferenceArray<>(TABLE));
            table = tables.get(t);
        }
        int slot = slot(at);
        byte[] piece = table.get(slot);
        if (piece == null && make) {
            byte[] fresh = new byte[PIECE];
            piece = table.compareAndSet(slot, null, fresh) ? fresh : table.get(slot);
        }
        return piece != null || !make ? piece : piece(at, true);
    }

    private static int table(long at) {
        return (int) (at >> (PIECE_SHIFT + TABLE_SHIFT));
    }

    private static int slot(long at) {
        return (int) (at >> PIECE_SHIFT) & (TABLE - 1);
    }

    private void check(String operation, long offset, long length) {
        if (closed) {
            throw new DeviceException(name + ": " + operation + " at " + offset + ": the device is closed");
        }
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new DeviceException(
                    name + ": " + operation + " at " + offset + " of " + length + " bytes is outside its " + size);
        }
    }
}
