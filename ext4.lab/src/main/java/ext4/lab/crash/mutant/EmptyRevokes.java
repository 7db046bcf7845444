// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.block.BlockDevice;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.image.Image;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Revoke blocks reach the log with nothing in them. */
final class EmptyRevokes extends ForwardingDevice {
    private final Set<Long> log;
    private final long superblock;

    EmptyRevokes(BlockDevice device, BaseImage base) {
        super(device);
        log = new HashSet<>();
        base.log().forEach(block -> log.add(block.longValue()));
        superblock = base.log().getFirst().longValue() * Image.BLOCK;
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        byte[] bytes = new byte[src.remaining()];
        src.get(bytes);
        if (log.contains(offset / Image.BLOCK)) {
            for (int at = 0; at + Image.BLOCK <= bytes.length; at += Image.BLOCK) {
                byte[] block = Arrays.copyOfRange(bytes, at, at + Image.BLOCK);
                if (BlockHeader.hasMagic(block, 0) && BlockHeader.type(block) == BlockHeader.REVOKE) {
                    LogFormat format = format();
                    RevokeBlock.init(format, block, BlockHeader.sequence(block));
                    format.sealTail(block);
                    System.arraycopy(block, 0, bytes, at, Image.BLOCK);
                }
            }
        }
        device.write(offset, ByteBuffer.wrap(bytes));
    }

    private LogFormat format() {
        byte[] bytes = new byte[JournalSuperblock.SIZE];
        device.read(superblock, ByteBuffer.wrap(bytes));
        return LogFormat.of(bytes);
    }
}
