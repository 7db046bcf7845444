// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.DescriptorWriter;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.journal.engine.FrozenTransaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;

/** Turns a frozen transaction into log blocks: revokes, descriptors with the blocks they name, commit. */
final class TransactionWriter {
    private final LogFormat format;
    private final LogAppender log;
    private final InstantSource clock;
    private final DescriptorWriter descriptors;
    private final byte[] control;
    private final byte[][] pending;

    TransactionWriter(LogFormat format, LogAppender log, InstantSource clock) {
        this.format = format;
        this.log = log;
        this.clock = clock;
        this.descriptors = new DescriptorWriter(format);
        this.control = new byte[format.blockSize()];
        this.pending = new byte[DescriptorWriter.capacity(format)][];
    }

    /** Log blocks for so many blocks and revokes, the commit block included. */
    static int blocksFor(LogFormat format, int blocks, int revokes) {
        return blocks
                + ceilDiv(blocks, DescriptorWriter.capacity(format))
                + ceilDiv(revokes, RevokeBlock.capacity(format))
                + 1;
    }

    private static int ceilDiv(int n, int by) {
        return (int) (((long) n + by - 1) / by);
    }

    /** Appends revoke blocks. */
    void writeRevokes(int sequence, long[] revokes) {
        if (revokes.length == 0) {
            return;
        }
        RevokeBlock.init(format, control, sequence);
        for (long pblk : revokes) {
            if (!RevokeBlock.add(format, control, pblk)) {
                appendSealed();
                RevokeBlock.init(format, control, sequence);
                RevokeBlock.add(format, control, pblk);
            }
        }
        appendSealed();
    }

    /** Appends descriptors and, behind each, its blocks; escapes those that would look like control blocks. */
    void writeBlocks(int sequence, FrozenTransaction transaction) {
        int inDescriptor = 0;
        for (int i = 0; i < transaction.count(); i++) {
            if (inDescriptor == 0) {
                descriptors.open(control, sequence);
            }
            byte[] data = transaction.version(i);
            boolean escaped = BlockHeader.hasMagic(data, 0);
            if (escaped) {
                data = data.clone();
                BlockHeader.escape(data, 0);
            }
            long pblk = transaction.state(i).block().pblk();
            if (!descriptors.add(pblk, escaped, format.tagChecksum(sequence, data, 0))) {
                throw new IllegalStateException("a descriptor block holds fewer than its capacity");
            }
            pending[inDescriptor++] = data;
            if (inDescriptor == pending.length || i + 1 == transaction.count()) {
                appendDescriptor(inDescriptor);
                inDescriptor = 0;
            }
        }
    }

    /**
     * Zeros the place of the commit block, to be durable before it is written. All that a commit block says stands in its
     * first sector, but its checksum covers the whole block: over zeros a torn write leaves either all of it or nothing,
     * over old log it could leave what recovery must take for a damaged log.
     */
    void prepareCommit() {
        Arrays.fill(control, (byte) 0);
        log.prepareNext(control);
    }

    /** Appends the commit block with the present time. */
    void writeCommit(int sequence) {
        Instant now = clock.instant();
        CommitBlock.write(format, control, sequence, now.getEpochSecond(), now.getNano());
        log.append(control);
    }

    private void appendDescriptor(int count) {
        descriptors.finish();
        log.append(control);
        for (int i = 0; i < count; i++) {
            log.append(pending[i]);
            pending[i] = null;
        }
    }

    private void appendSealed() {
        format.sealTail(control);
        log.append(control);
    }
}
