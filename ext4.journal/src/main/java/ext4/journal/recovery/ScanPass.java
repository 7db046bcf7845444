// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.api.fs.CorruptException;
import ext4.format.FormatException;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.Crc32Be;
import ext4.format.jbd2.DescriptorReader;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.journal.log.LogFile;
import ext4.journal.log.LogMap;

/**
 * Pass 1: finds the end of the log. What is wrong in a transaction counts only once its commit block shows that it is a
 * transaction: before that it may be what an older round of the ring left.
 */
final class ScanPass implements LogWalker.Pass {
    private final LogFormat format;
    private final LogMap map;
    private final LogReader reader;
    private final LogWalker walker;
    private final long blocksCount;
    private final DescriptorReader tags;
    private final byte[] data;

    /** What is wrong with the transaction being read, or null. */
    private CorruptException evidence;

    /** Whether {@link #evidence} is a checksum: then the commit time says if the transaction is of this round. */
    private boolean checksumEvidence;

    private long lastCommitSeconds;
    private int crc = Crc32Be.START;
    private boolean brokenCommit;

    ScanPass(LogFile file, LogReader reader, LogWalker walker) {
        this.format = file.format();
        this.map = file.map();
        this.reader = reader;
        this.walker = walker;
        this.blocksCount = file.host().blocksCount();
        this.tags = new DescriptorReader(format);
        this.data = new byte[format.blockSize()];
    }

    /** Whether the log ended at a commit block with a wrong checksum: later transactions may stand behind it. */
    boolean endedAtBrokenCommit() {
        return brokenCommit;
    }

    @Override
    public void descriptor(int sequence, byte[] block, int lblk, int firstData, int count) {
        if (!format.verifyTail(block)) {
            suspect(true, corrupt("descriptor block", lblk, "checksum", "wrong", "that of the block"));
        }
        tags.open(block);
        while (tags.next()) {
            checkNumber("descriptor block", lblk, tags.fsBlock());
        }
        if (format.hasChecksumV1()) {
            sum(block, firstData, count);
        }
    }

    @Override
    public void revoke(int sequence, byte[] block, int lblk) {
        if (!format.verifyTail(block)) {
            suspect(true, corrupt("revoke block", lblk, "checksum", "wrong", "that of the block"));
            return;
        }
        try {
            int count = RevokeBlock.count(format, block, map.pblk(lblk));
            for (int i = 0; i < count; i++) {
                long pblk = RevokeBlock.fsBlock(format, block, i);
                if (pblk < 0 || pblk >= blocksCount) {
                    suspect(false, outside("revoke block", lblk, pblk));
                }
            }
        } catch (FormatException e) {
            suspect(false, LogFile.corrupt(e, map.pblk(lblk)));
        }
    }

    @Override
    public boolean commit(int sequence, byte[] block, int lblk) {
        long seconds = CommitBlock.seconds(block);
        boolean stale = seconds < lastCommitSeconds;
        if (evidence != null && checksumEvidence) {
            if (stale) {
                return false;
            }
            throw evidence;
        }
        if (!CommitBlock.verify(format, block) || !CommitBlock.matchesV1(format, block, crc)) {
            brokenCommit = true;
            return false;
        }
        if (evidence != null) {
            throw evidence;
        }
        crc = Crc32Be.START;
        lastCommitSeconds = seconds;
        return true;
    }

    private void checkNumber(String structure, int lblk, long pblk) {
        if (pblk < 0 || pblk >= blocksCount) {
            suspect(false, outside(structure, lblk, pblk));
        } else if (map.contains(pblk)) {
            suspect(
                    false,
                    corrupt(structure, lblk, "tag", "block " + pblk + " of the journal itself", "another block"));
        }
    }

    private void sum(byte[] block, int firstData, int count) {
        crc = Crc32Be.update(crc, block, 0, block.length);
        for (int i = 0; i < count; i++) {
            reader.read(walker.after(firstData, i), data);
            crc = Crc32Be.update(crc, data, 0, data.length);
        }
    }

    /** Keeps the first evidence, but a wrong checksum rather than what stands behind it. */
    private void suspect(boolean checksum, CorruptException found) {
        if (evidence == null || checksum && !checksumEvidence) {
            evidence = found;
            checksumEvidence = checksum;
        }
    }

    private CorruptException outside(String structure, int lblk, long pblk) {
        return corrupt(structure, lblk, "block number", Long.toUnsignedString(pblk), "below " + blocksCount);
    }

    private CorruptException corrupt(String structure, int lblk, String field, String found, String expected) {
        return new CorruptException(structure, map.pblk(lblk), field, found, expected);
    }
}
