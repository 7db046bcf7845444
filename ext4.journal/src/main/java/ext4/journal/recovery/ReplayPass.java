// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.api.fs.CorruptException;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.DescriptorReader;
import ext4.format.jbd2.LogFormat;
import ext4.journal.inplace.BlockWriter;
import ext4.journal.log.LogFile;
import ext4.journal.log.LogMap;

/** Pass 3: writes the logged blocks to their places. */
final class ReplayPass implements LogWalker.Pass {
    private final LogFormat format;
    private final LogMap map;
    private final LogReader reader;
    private final LogWalker walker;
    private final RevokePass revokes;
    private final int end;
    private final DescriptorReader tags;
    private final byte[] data;
    private final BlockWriter writer;
    private long blocks;
    private long revoked;
    private CorruptException damaged;

    ReplayPass(LogFile file, LogReader reader, LogWalker walker, RevokePass revokes, int end) {
        this.format = file.format();
        this.map = file.map();
        this.reader = reader;
        this.walker = walker;
        this.revokes = revokes;
        this.end = end;
        this.tags = new DescriptorReader(format);
        this.data = new byte[format.blockSize()];
        this.writer = new BlockWriter(file.host().device(), format.blockSize());
    }

    long blocks() {
        return blocks;
    }

    long revoked() {
        return revoked;
    }

    /**
     * Writes what is still buffered.
     *
     * @throws CorruptException if a logged block had a wrong checksum; all others are written
     */
    void finish() {
        writer.flushBuffer();
        if (damaged != null) {
            throw damaged;
        }
    }

    @Override
    public boolean endsBefore(int sequence) {
        return sequence == end;
    }

    @Override
    public void descriptor(int sequence, byte[] block, int lblk, int firstData, int count) {
        tags.open(block);
        for (int i = 0; tags.next(); i++) {
            long pblk = tags.fsBlock();
            if (revokes.isRevoked(pblk, sequence)) {
                revoked++;
                continue;
            }
            int at = walker.after(firstData, i);
            reader.read(at, data);
            if (!format.matchesTag(tags.checksum(), sequence, data, 0)) {
                damaged = new CorruptException(
                        "logged copy of block " + pblk, map.pblk(at), "checksum", "wrong", "that of its tag");
                continue;
            }
            if (tags.isEscaped()) {
                BlockHeader.unescape(data, 0);
            }
            writer.write(pblk, data);
            blocks++;
        }
    }

    @Override
    public void revoke(int sequence, byte[] block, int lblk) {}

    @Override
    public boolean commit(int sequence, byte[] block, int lblk) {
        return true;
    }
}
