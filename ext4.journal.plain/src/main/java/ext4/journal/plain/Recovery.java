// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalRecovery;
import ext4.format.FormatException;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.Crc32Be;
import ext4.format.jbd2.DescriptorReader;
import ext4.format.jbd2.FastCommitBlock;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays a log: one walk notes where the copies of complete transactions stand and what they revoke, then the copies are
 * written. Nothing is written before the walk has found the log sound. What is wrong in a transaction counts only once its
 * commit block shows that it is one: before that it may be what an older round of the ring left.
 *
 * <p>Source: the kernel's documentation, filesystems/ext4/journal.rst.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /** A logged copy of a block of the filesystem. */
    private record Copy(int lblk, long pblk, int sequence, int checksum, boolean escaped) {}

    private final LogArea log;
    private final LogFormat format;
    private final long blocksCount;
    private final byte[] control;
    private final byte[] data;
    private final List<Copy> copies = new ArrayList<>();
    private final Map<Long, Integer> revoked = new HashMap<>();

    // Of the transaction that is being walked through.
    private final List<Copy> begun = new ArrayList<>();
    private final List<Long> begunRevokes = new ArrayList<>();
    private int crc = Crc32Be.START;
    private CorruptException evidence;
    private boolean checksumEvidence;

    private long lastCommitSeconds;
    private boolean brokenCommit;
    private long blocks;
    private long left;

    Recovery(JournalHost host) {
        log = new LogArea(host);
        format = log.format();
        blocksCount = host.blocksCount();
        control = new byte[log.blockSize()];
        data = new byte[log.blockSize()];
    }

    JournalRecovery run() {
        byte[] superblock = log.superblock;
        int errno = JournalSuperblock.errno(superblock);
        int from = JournalSuperblock.sequence(superblock);
        if (JournalSuperblock.start(superblock) == 0) {
            return new JournalRecovery(0, 0, 0, from, errno);
        }
        int end = walk(JournalSuperblock.start(superblock), from);
        if (holdsFastCommit(end)) {
            throw new UnsupportedFeatureException("journal recovery", List.of("fast_commit"));
        }
        replay();
        // The transaction after the last may have begun; behind a broken commit block whole ones may stand.
        int next = end + 1 + (brokenCommit ? log.capacity() : 0);
        JournalSuperblock.setSequence(superblock, next);
        JournalSuperblock.setStart(superblock, 0);
        JournalSuperblock.setHead(superblock, log.first());
        log.writeSuperblock(true);
        LOG.info("journal recovery: {} transactions, {} blocks, {} revoked", end - from, blocks, left);
        return new JournalRecovery(end - from, blocks, left, next, errno);
    }

    /** Walks at most once round; returns the number of the first transaction that is not complete. */
    private int walk(int start, int first) {
        int at = start;
        int sequence = first;
        for (int room = log.capacity(); room > 0; ) {
            log.read(at, control);
            if (!BlockHeader.isOf(control, sequence)) {
                return sequence;
            }
            int length = 1;
            switch (BlockHeader.type(control)) {
                case BlockHeader.DESCRIPTOR -> {
                    int count = descriptor(at, sequence, room);
                    if (count < 0) {
                        return sequence;
                    }
                    length += count;
                }
                case BlockHeader.REVOKE -> revoke(at);
                case BlockHeader.COMMIT -> {
                    if (!commit(sequence)) {
                        return sequence;
                    }
                    sequence++;
                }
                default -> {
                    return sequence;
                }
            }
            at = log.after(at, length);
            room -= length;
        }
        return sequence;
    }

    /** Notes the copies that follow; returns how many, or -1 if they would not fit into what is left of the round. */
    private int descriptor(int lblk, int sequence, int room) {
        if (!format.verifyTail(control)) {
            suspect(true, log.corrupt("descriptor block", lblk, "checksum", "wrong", "that of the block"));
        }
        int count = DescriptorReader.count(format, control);
        if (count >= room) {
            return -1;
        }
        if (format.hasChecksumV1()) {
            crc = Crc32Be.update(crc, control, 0, control.length);
        }
        DescriptorReader tags = new DescriptorReader(format);
        tags.open(control);
        for (int i = 1; tags.next(); i++) {
            int at = log.after(lblk, i);
            long pblk = tags.fsBlock();
            checkNumber("descriptor block", lblk, pblk);
            if (log.contains(pblk)) {
                suspect(
                        false,
                        log.corrupt("descriptor block", lblk, "tag", "block " + pblk + " of the journal", "another"));
            }
            begun.add(new Copy(at, pblk, sequence, tags.checksum(), tags.isEscaped()));
            if (format.hasChecksumV1()) {
                log.read(at, data);
                crc = Crc32Be.update(crc, data, 0, data.length);
            }
        }
        return count;
    }

    private void revoke(int lblk) {
        if (!format.verifyTail(control)) {
            suspect(true, log.corrupt("revoke block", lblk, "checksum", "wrong", "that of the block"));
            return;
        }
        try {
            int count = RevokeBlock.count(format, control, log.pblk(lblk));
            for (int i = 0; i < count; i++) {
                long pblk = RevokeBlock.fsBlock(format, control, i);
                checkNumber("revoke block", lblk, pblk);
                begunRevokes.add(pblk);
            }
        } catch (FormatException e) {
            suspect(false, LogArea.corrupt(e, log.pblk(lblk)));
        }
    }

    /** Whether the transaction is complete; if not, the log ends before it. */
    private boolean commit(int sequence) {
        long seconds = CommitBlock.seconds(control);
        if (evidence != null && checksumEvidence) {
            if (seconds < lastCommitSeconds) {
                return false; // of an older round
            }
            throw evidence;
        }
        if (!CommitBlock.verify(format, control) || !CommitBlock.matchesV1(format, control, crc)) {
            brokenCommit = true;
            return false;
        }
        if (evidence != null) {
            throw evidence;
        }
        copies.addAll(begun);
        begunRevokes.forEach(pblk -> revoked.put(pblk, sequence));
        begun.clear();
        begunRevokes.clear();
        crc = Crc32Be.START;
        lastCommitSeconds = seconds;
        return true;
    }

    private void checkNumber(String structure, int lblk, long pblk) {
        if (pblk < 0 || pblk >= blocksCount) {
            suspect(
                    false,
                    log.corrupt(structure, lblk, "block number", Long.toUnsignedString(pblk), "below " + blocksCount));
        }
    }

    /** Keeps the first evidence, but a wrong checksum rather than what stands behind it. */
    private void suspect(boolean checksum, CorruptException found) {
        if (evidence == null || checksum && !checksumEvidence) {
            evidence = found;
            checksumEvidence = checksum;
        }
    }

    /** Whether there is a valid fast commit after the last full one. */
    private boolean holdsFastCommit(int tid) {
        FastCommitBlock.TailFinder tail = new FastCommitBlock.TailFinder(tid);
        int begin = log.end() + 1; // the block at the ring's end is not used
        if (JournalSuperblock.fastCommitBlocks(log.superblock) == 0) {
            return false;
        }
        for (int lblk = begin; lblk < log.length(); lblk++) {
            log.read(lblk, data);
            if (lblk == begin && !FastCommitBlock.beginsWithHead(data, tid) || !tail.read(data)) {
                break;
            }
        }
        return tail.found();
    }

    /** Writes the copies; one whose checksum is wrong is left out, and told of when all others are written. */
    private void replay() {
        CorruptException damaged = null;
        for (Copy copy : copies) {
            Integer newest = revoked.get(copy.pblk);
            if (newest != null && newest - copy.sequence >= 0) {
                left++;
                continue;
            }
            log.read(copy.lblk, data);
            if (!format.matchesTag(copy.checksum, copy.sequence, data, 0)) {
                damaged = log.corrupt("logged copy of block " + copy.pblk, copy.lblk, "checksum", "wrong", "the tag's");
                continue;
            }
            if (copy.escaped) {
                BlockHeader.unescape(data, 0);
            }
            log.writeBlock(copy.pblk, data);
            blocks++;
        }
        if (damaged != null) {
            throw damaged;
        }
        log.device().flush();
    }
}
