// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.DescriptorWriter;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Writes transactions into the ring. Used by whoever has the journal's turn, so by one thread at a time. */
class LogWriter {
    private final LogArea log;
    private final LogFormat format;
    private final boolean barrier;
    private final InstantSource clock;
    private final byte[] control;
    private int head;
    private int used;
    private int sequence;
    private boolean emptyOnDisk = true;

    LogWriter(LogArea log, boolean barrier) {
        this(log, barrier, InstantSource.system());
    }

    /** @param clock for the times in commit blocks */
    LogWriter(LogArea log, boolean barrier, InstantSource clock) {
        this.clock = clock;
        this.log = log;
        this.format = log.format();
        this.barrier = barrier;
        this.control = new byte[log.blockSize()];
        int recorded = JournalSuperblock.head(log.superblock);
        this.head = recorded >= log.first() && recorded < log.end() ? recorded : log.first();
        this.sequence = JournalSuperblock.sequence(log.superblock);
    }

    int capacity() {
        return log.capacity();
    }

    int free() {
        return log.capacity() - used;
    }

    /** Number of the next transaction in the log. */
    int sequence() {
        return sequence;
    }

    /** Log blocks that a transaction takes, its commit block included. */
    int blocksFor(int blocks, int revokes) {
        return blocks
                + Math.ceilDiv(blocks, DescriptorWriter.capacity(format))
                + Math.ceilDiv(revokes, RevokeBlock.capacity(format))
                + 1;
    }

    /** Writes one block of the filesystem to its place. */
    void writeHome(long pblk, byte[] version) {
        log.writeBlock(pblk, version);
    }

    void flush() {
        log.device().flush();
    }

    /**
     * Writes a transaction, all but its commit block, and makes it durable. A log with nothing older in it has nothing to
     * revoke.
     */
    void write(Collection<Version> versions, Collection<Long> revokes) {
        if (emptyOnDisk) {
            record(head);
            emptyOnDisk = false;
        }
        int begin = head;
        if (used > 0) {
            writeRevokes(revokes);
        }
        writeVersions(List.copyOf(versions));
        // Over zeros a torn commit block is whole or nothing; over an older round it could look like damage.
        Arrays.fill(control, (byte) 0);
        log.write(head, control);
        if (barrier) {
            flush();
        }
        used += head >= begin ? head - begin : head - begin + log.capacity();
    }

    /** Writes the commit block and makes it durable: the transaction is in the log. */
    void commit() {
        Instant now = clock.instant();
        CommitBlock.write(format, control, sequence, now.getEpochSecond(), now.getNano());
        append(control);
        if (barrier) {
            flush();
        }
        used++;
        sequence++;
    }

    /** Everything is in its place and flushed: says that nothing is to be replayed. */
    void recordEmpty() {
        if (!emptyOnDisk) {
            JournalSuperblock.setHead(log.superblock, head);
            record(0);
            if (!barrier) {
                flush();
            }
            emptyOnDisk = true;
            used = 0;
        }
    }

    void recordError(int errno) {
        JournalSuperblock.setErrno(log.superblock, errno);
        log.writeSuperblock(true);
    }

    private void record(int start) {
        JournalSuperblock.setSequence(log.superblock, sequence);
        JournalSuperblock.setStart(log.superblock, start);
        log.writeSuperblock(barrier);
    }

    private void writeRevokes(Collection<Long> revokes) {
        boolean open = false;
        for (long pblk : revokes) {
            if (open && !RevokeBlock.add(format, control, pblk)) {
                sealAndAppend();
                open = false;
            }
            if (!open) {
                RevokeBlock.init(format, control, sequence);
                RevokeBlock.add(format, control, pblk);
                open = true;
            }
        }
        if (open) {
            sealAndAppend();
        }
    }

    private void sealAndAppend() {
        format.sealTail(control);
        append(control);
    }

    /** Descriptors, each with the blocks behind it that its tags name. */
    private void writeVersions(List<Version> versions) {
        DescriptorWriter descriptor = new DescriptorWriter(format);
        int capacity = DescriptorWriter.capacity(format);
        for (int from = 0; from < versions.size(); from += capacity) {
            List<byte[]> pending = new ArrayList<>();
            descriptor.open(control, sequence);
            for (Version each : versions.subList(from, Math.min(versions.size(), from + capacity))) {
                byte[] bytes = each.bytes();
                boolean escaped = mustEscape(bytes);
                if (escaped) {
                    bytes = bytes.clone();
                    BlockHeader.escape(bytes, 0);
                }
                descriptor.add(each.block().pblk(), escaped, format.tagChecksum(sequence, bytes, 0));
                pending.add(bytes);
            }
            descriptor.finish();
            append(control);
            pending.forEach(this::append);
        }
    }

    /** A scan would take it for a control block. */
    boolean mustEscape(byte[] bytes) {
        return BlockHeader.hasMagic(bytes, 0);
    }

    private void append(byte[] block) {
        log.write(head, block);
        head = log.after(head, 1);
    }
}
