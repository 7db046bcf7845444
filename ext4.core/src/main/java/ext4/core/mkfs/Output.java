// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;

/** Writes blocks to the device, adjacent ones together, and counts the bytes. */
final class Output {
    private static final int GATHER = 1 << 20;

    private final BlockDevice device;
    private final int blockBits;
    private final boolean zeroed;
    private final ByteBuffer gathered = ByteBuffer.allocate(GATHER);
    private long at;
    private long written;

    /**
     * @param zeroed whether the device reads as zeros, so that nothing is to be zeroed
     */
    Output(BlockDevice device, int blockBits, boolean zeroed) {
        this.device = device;
        this.blockBits = blockBits;
        this.zeroed = zeroed;
    }

    /** Writes one block. */
    void block(long pblk, byte[] bytes) {
        long offset = pblk << blockBits;
        if (offset != at + gathered.position() || gathered.remaining() < bytes.length) {
            drain();
            at = offset;
        }
        gathered.put(bytes, 0, 1 << blockBits);
        written += 1 << blockBits;
    }

    /** Zeroes blocks that may hold something. */
    void zero(long pblk, long count) {
        if (!zeroed) {
            drain();
            device.zero(pblk << blockBits, count << blockBits);
            written += count << blockBits;
        }
    }

    private void drain() {
        if (gathered.position() > 0) {
            device.write(at, gathered.flip());
        }
        gathered.clear();
    }

    /** Makes everything so far durable. */
    void flush() {
        drain();
        device.flush();
    }

    /** Bytes so far. */
    long written() {
        return written;
    }
}
