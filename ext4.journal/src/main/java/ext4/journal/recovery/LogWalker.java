// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.DescriptorReader;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.journal.log.LogFile;

/**
 * Walks the log from its tail, block by block: the common path of the three passes. Never visits more blocks than the ring
 * has, so a log that leads in a circle ends.
 */
final class LogWalker {
    /** What a pass does with control blocks. The arrays are the walker's and are overwritten. */
    interface Pass {
        /** Whether the walk is over before this transaction begins. */
        default boolean endsBefore(int sequence) {
            return false;
        }

        /** A descriptor block at {@code lblk}; its blocks follow from {@code firstData} on, round the ring. */
        void descriptor(int sequence, byte[] block, int lblk, int firstData, int count);

        /** A revoke block at {@code lblk}. */
        void revoke(int sequence, byte[] block, int lblk);

        /** A commit block at {@code lblk}; false ends the walk before the next transaction. */
        boolean commit(int sequence, byte[] block, int lblk);
    }

    private final LogFile file;
    private final LogFormat format;
    private final LogReader reader;
    private final byte[] block;
    private final int first;
    private final int end;

    LogWalker(LogFile file, LogReader reader) {
        this.file = file;
        this.format = file.format();
        this.reader = reader;
        this.block = new byte[format.blockSize()];
        this.first = file.first();
        this.end = file.end();
    }

    /** Block after {@code lblk} by {@code distance}, which is at most the ring's length. */
    int after(int lblk, int distance) {
        int at = lblk + distance;
        return at < end ? at : at - (end - first);
    }

    /** Walks until the pass or the log ends; returns the first sequence number that was not completed. */
    int walk(Pass pass) {
        int at = JournalSuperblock.start(file.superblock());
        int sequence = JournalSuperblock.sequence(file.superblock());
        int left = end - first;
        while (left > 0 && !pass.endsBefore(sequence)) {
            reader.read(at, block);
            if (!BlockHeader.isOf(block, sequence)) {
                break;
            }
            int length = 1;
            switch (BlockHeader.type(block)) {
                case BlockHeader.DESCRIPTOR -> {
                    int count = DescriptorReader.count(format, block);
                    if (count >= left) {
                        return sequence;
                    }
                    pass.descriptor(sequence, block, at, after(at, 1), count);
                    length += count;
                }
                case BlockHeader.REVOKE -> pass.revoke(sequence, block, at);
                case BlockHeader.COMMIT -> {
                    if (!pass.commit(sequence, block, at)) {
                        return sequence;
                    }
                    sequence++;
                }
                default -> {
                    return sequence;
                }
            }
            at = after(at, length);
            left -= length;
        }
        return sequence;
    }
}
