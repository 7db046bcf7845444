// SPDX-License-Identifier: Apache-2.0
package ext4.journal.inplace;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;

/**
 * Writes blocks to a device and makes one request of neighbours that come one after the other. Not thread-safe; {@link
 * #flushBuffer} comes last.
 */
public final class BlockWriter {
    private static final int BUFFER_BYTES = 1 << 18;
    private final BlockDevice device;
    private final int blockSize;
    private final ByteBuffer buffer;
    private long start;
    private long requests;

    public BlockWriter(BlockDevice device, int blockSize) {
        this.device = device;
        this.blockSize = blockSize;
        this.buffer = ByteBuffer.allocateDirect(Math.max(BUFFER_BYTES, blockSize));
    }

    /** Appends one block that goes to {@code pblk}; copies it. */
    public void write(long pblk, byte[] block) {
        int buffered = buffer.position() / blockSize;
        if (buffered > 0 && (pblk != start + buffered || buffer.remaining() < blockSize)) {
            flushBuffer();
        }
        if (buffer.position() == 0) {
            start = pblk;
        }
        buffer.put(block, 0, blockSize);
    }

    /** Hands what is buffered to the device; does not flush the device. */
    public void flushBuffer() {
        if (buffer.position() == 0) {
            return;
        }
        buffer.flip();
        try {
            device.write(start * blockSize, buffer);
            requests++;
        } finally {
            buffer.clear();
        }
    }

    /** Forgets what is buffered. */
    public void discard() {
        buffer.clear();
    }

    /** Write requests so far. */
    public long requests() {
        return requests;
    }
}
