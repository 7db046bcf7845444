// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.api.block.BlockDevice;
import ext4.journal.log.LogFile;
import ext4.journal.log.LogMap;
import java.nio.ByteBuffer;

/** Reads blocks of the journal file, some ahead where they lie together. Not thread-safe. */
final class LogReader {
    private static final int AHEAD_BYTES = 1 << 18;
    private final BlockDevice device;
    private final LogMap map;
    private final int blockSize;
    private final ByteBuffer buffer;
    private int bufferStart;
    private int bufferBlocks;

    LogReader(LogFile file) {
        this.device = file.host().device();
        this.map = file.map();
        this.blockSize = file.host().blockSize();
        this.buffer = ByteBuffer.allocate(Math.max(AHEAD_BYTES, blockSize));
    }

    /** Fills {@code into} with block {@code lblk} of the journal file. */
    void read(int lblk, byte[] into) {
        if (lblk < bufferStart || lblk >= bufferStart + bufferBlocks) {
            fill(lblk);
        }
        buffer.get((lblk - bufferStart) * blockSize, into, 0, blockSize);
    }

    private void fill(int lblk) {
        bufferBlocks = 0;
        long pblk = map.pblk(lblk);
        int most = Math.min(buffer.capacity() / blockSize, map.length() - lblk);
        int blocks = 1;
        while (blocks < most && map.pblk(lblk + blocks) == pblk + blocks) {
            blocks++;
        }
        buffer.clear().limit(blocks * blockSize);
        device.read(pblk * blockSize, buffer);
        buffer.clear();
        bufferStart = lblk;
        bufferBlocks = blocks;
    }
}
