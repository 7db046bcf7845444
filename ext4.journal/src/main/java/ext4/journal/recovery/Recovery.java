// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalRecovery;
import ext4.format.jbd2.JournalSuperblock;
import ext4.journal.log.LogFile;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays a log, as journal.rst of the kernel's documentation describes: scan for the end, collect revokes, write. Nothing
 * is written before the scan has found the log sound.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private Recovery() {}

    /**
     * Replays the log of {@code host} and leaves it empty.
     *
     * @throws CorruptException if the log contradicts itself before its end; it is left as it was
     * @throws UnsupportedFeatureException if fast commits would have to be replayed
     */
    public static JournalRecovery recover(JournalHost host) {
        LogFile file = new LogFile(host);
        byte[] superblock = file.superblock();
        int errno = JournalSuperblock.errno(superblock);
        int from = JournalSuperblock.sequence(superblock);
        if (JournalSuperblock.start(superblock) == 0) {
            return new JournalRecovery(0, 0, 0, from, errno);
        }
        LogReader reader = new LogReader(file);
        LogWalker walker = new LogWalker(file, reader);
        ScanPass scan = new ScanPass(file, reader, walker);
        int end = walker.walk(scan);
        if (FastCommitArea.holds(file, reader, end)) {
            throw new UnsupportedFeatureException("journal recovery", List.of("fast_commit"));
        }
        RevokePass revokes = new RevokePass(file, end);
        walker.walk(revokes);
        ReplayPass replay = new ReplayPass(file, reader, walker, revokes, end);
        walker.walk(replay);
        replay.finish();
        host.device().flush();
        int next = unusedAfter(end, scan, file);
        JournalSuperblock.setSequence(superblock, next);
        JournalSuperblock.setStart(superblock, 0);
        JournalSuperblock.setHead(superblock, file.first());
        file.writeSuperblock(true);
        LOG.info(
                "journal recovery: {} transactions, {} blocks, {} revoked",
                end - from,
                replay.blocks(),
                replay.revoked());
        return new JournalRecovery(end - from, replay.blocks(), replay.revoked(), next, errno);
    }

    /**
     * A sequence number that no block of the old log has. The transaction {@code end} may have begun; behind a broken commit
     * block whole transactions may follow, but no more than the ring has blocks.
     */
    private static int unusedAfter(int end, ScanPass scan, LogFile file) {
        return end + 1 + (scan.endedAtBrokenCommit() ? file.end() - file.first() : 0);
    }
}
