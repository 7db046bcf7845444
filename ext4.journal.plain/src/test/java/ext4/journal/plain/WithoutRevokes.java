// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.block.BlockDevice;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.testkit.journal.ModelHost;
import java.nio.ByteBuffer;

/** A device on which each revoke block of the log reads as if it revoked nothing. */
final class WithoutRevokes implements BlockDevice {
    private final BlockDevice below;

    WithoutRevokes(BlockDevice below) {
        this.below = below;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        byte[] bytes = new byte[dst.remaining()];
        below.read(offset, ByteBuffer.wrap(bytes));
        if (BlockHeader.hasMagic(bytes, 0) && BlockHeader.type(bytes) == BlockHeader.REVOKE) {
            int sequence = BlockHeader.sequence(bytes);
            byte[] superblock = new byte[JournalSuperblock.SIZE];
            below.read((long) ModelHost.FIRST_AT * ModelHost.BLOCK, ByteBuffer.wrap(superblock));
            LogFormat format = LogFormat.of(superblock);
            RevokeBlock.init(format, bytes, sequence);
            format.sealTail(bytes);
        }
        dst.put(bytes);
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
        return below.readOnly();
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        below.write(offset, src);
    }

    @Override
    public void flush() {
        below.flush();
    }

    @Override
    public void close() {
        below.close();
    }
}
