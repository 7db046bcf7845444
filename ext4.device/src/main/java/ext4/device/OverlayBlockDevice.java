// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A device that can be written, on one that must not be: what is written stays in memory, in pieces of 4 KiB, and is
 * gone when the device is closed. So a filesystem whose journal waits for replay can be read without touching it.
 *
 * <p>Threads that write the same bytes at once leave either's. What is written may take a limited room; a write past it
 * fails with {@link DeviceException}.
 */
public final class OverlayBlockDevice implements BlockDevice {
    private static final int SHIFT = 12;
    private static final int PIECE = 1 << SHIFT;

    private final BlockDevice below;
    private final long maxPieces;
    private final ConcurrentMap<Long, byte[]> pieces = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * On {@code below}, which is closed with this device and never written.
     *
     * @param maxBytes memory that written pieces may take
     */
    public OverlayBlockDevice(BlockDevice below, long maxBytes) {
        this.below = below;
        this.maxPieces = maxBytes >> SHIFT;
    }

    @Override
    public String name() {
        return below.name();
    }

    @Override
    public long size() {
        return below.size();
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        if (pieces.isEmpty()) {
            below.read(offset, dst);
            return;
        }
        check("read", offset, dst.remaining());
        int limit = dst.limit();
        for (long at = offset; dst.position() < limit; ) {
            byte[] piece = pieces.get(at >> SHIFT);
            if (piece != null) {
                int within = (int) (at & PIECE - 1);
                int count = Math.min(PIECE - within, limit - dst.position());
                dst.put(piece, within, count);
                at += count;
            } else {
                int count = untouched(at, limit - dst.position());
                dst.limit(dst.position() + count);
                below.read(at, dst);
                dst.limit(limit);
                at += count;
            }
        }
    }

    /** Bytes from {@code at} on, at most {@code most}, that were never written. */
    private int untouched(long at, int most) {
        long end = (at >> SHIFT) + 1;
        while ((end << SHIFT) - at < most && !pieces.containsKey(end)) {
            end++;
        }
        return (int) Math.min(most, (end << SHIFT) - at);
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        check("write", offset, src.remaining());
        for (long at = offset; src.hasRemaining(); ) {
            int within = (int) (at & PIECE - 1);
            int count = Math.min(PIECE - within, src.remaining());
            src.get(piece(at >> SHIFT), within, count);
            at += count;
        }
    }

    private byte[] piece(long index) {
        byte[] piece = pieces.get(index);
        if (piece != null) {
            return piece;
        }
        if (pieces.size() >= maxPieces) {
            throw new DeviceException(
                    name() + ": changes that are kept in memory take more than " + (maxPieces << SHIFT >> 20) + " MiB");
        }
        return pieces.computeIfAbsent(index, this::load);
    }

    private byte[] load(long index) {
        byte[] bytes = new byte[PIECE];
        long start = index << SHIFT;
        below.read(start, ByteBuffer.wrap(bytes, 0, (int) Math.min(PIECE, size() - start)));
        return bytes;
    }

    /** Nothing here is ever durable, and nobody may rely on it. */
    @Override
    public void flush() {
        check("flush", 0, 0);
    }

    @Override
    public void zero(long offset, long length) {
        check("zero", offset, length);
        for (long at = offset; at < offset + length; ) {
            int within = (int) (at & PIECE - 1);
            int count = (int) Math.min(PIECE - within, offset + length - at);
            Arrays.fill(piece(at >> SHIFT), within, within + count, (byte) 0);
            at += count;
        }
    }

    @Override
    public void close() {
        closed = true;
        below.close();
    }

    private void check(String operation, long offset, long length) {
        if (closed) {
            throw new DeviceException(name() + ": " + operation + " at " + offset + ": the device is closed");
        }
        if (offset < 0 || length < 0 || offset > size() - length) {
            throw new DeviceException(
                    name() + ": " + operation + " at " + offset + " of " + length + " bytes is outside its " + size());
        }
    }
}
