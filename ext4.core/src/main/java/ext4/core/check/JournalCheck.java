// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.FormatException;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeRecord;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.Set;

/** The journal's inode and superblock, and whether needs_recovery says what is there. */
final class JournalCheck {
    /** e2fsck -n does not look at them: it leaves the log aside. */
    private static final Set<String> PLACE_OF_THE_LOG = Set.of("s_first", "s_start");

    private final State state;
    private final Superblock sb;
    private final Report report;

    JournalCheck(State state) {
        this.state = state;
        sb = state.fs.sb;
        report = state.report;
    }

    void run() {
        if (sb.hasExternalJournal()) {
            report.problem(
                    "Superblock has an external journal as well as, or in place of, its inode %d.",
                    Integer.toUnsignedLong(sb.journalIno()));
            return;
        }
        if (!sb.has(Feature.HAS_JOURNAL) && sb.has(Feature.RECOVER)) {
            report.problem("Superblock needs_recovery flag is set, but no journal is present.");
        } else if (sb.has(Feature.RECOVER)) {
            report.note("Warning: skipping journal recovery because doing a read-only filesystem check.");
        }
        if (sb.has(Feature.HAS_JOURNAL) || sb.journalIno() != 0) {
            inode(sb.journalIno());
        }
    }

    private void inode(int ino) {
        byte[] record = new byte[sb.blockSize()];
        int off = ino == 0 || !state.fs.isInode(ino) ? -1 : state.fs.readInode(ino, record);
        if (off < 0 || !inodeHolds(record, off)) {
            report.problem("Superblock has an invalid journal (inode %d).", Integer.toUnsignedLong(ino));
            return;
        }
        if (!sb.has(Feature.HAS_JOURNAL)) {
            report.note("Note: superblock has_journal flag is clear, but a journal is present.");
            return;
        }
        MapEnd end = new MapEnd();
        state.walk.walk(ino, record, off, end);
        if (end.blocks < InodeRecord.size(record, off) >>> sb.blockBits()) {
            report.problem(
                    "Superblock has an invalid journal (inode %d): it has blocks up to %d only.",
                    Integer.toUnsignedLong(ino), end.blocks);
            return;
        }
        long first = BlockList.of(state, ino, record, off, 1).get(0);
        byte[] block = new byte[sb.blockSize()];
        if (first == 0 || !state.fs.read(first, 1, block, "the journal superblock")) {
            report.problem("Journal inode %d has no first block.", Integer.toUnsignedLong(ino));
            return;
        }
        superblock(block, InodeRecord.size(record, off) >>> sb.blockBits());
    }

    /** One behind the last block that a map has. */
    private static final class MapEnd implements MapSink {
        private static final int MOST_METAS = 1 << 16;

        private long blocks;
        private int metas;

        @Override
        public void data(long lblk, long pblk, int count, boolean unwritten) {
            blocks = Math.max(blocks, lblk + count);
        }

        @Override
        public boolean meta(long pblk) {
            return ++metas <= MOST_METAS;
        }

        @Override
        public void bad(String format, Object... args) {
            // told in pass 1
        }
    }

    private boolean inodeHolds(byte[] record, int off) {
        return InodeRecord.links(record, off) != 0
                && FileMode.isRegular(InodeRecord.mode(record, off))
                && InodeRecord.size(record, off) >>> sb.blockBits() >= JournalSuperblock.MIN_BLOCKS;
    }

    private void superblock(byte[] b, long blocks) {
        try {
            JournalSuperblock.validate(b, sb.blockSize(), blocks);
        } catch (FormatException e) {
            if (!PLACE_OF_THE_LOG.contains(e.field())) {
                report.problem("Journal superblock is corrupt (%s).", e.getMessage());
                return;
            }
            report.note("Note: a mount will refuse the journal (%s).", e.getMessage());
        }
        if (JournalSuperblock.users(b) > 1 || JournalSuperblock.users(b) < 0) {
            report.problem("Journal has multiple filesystem users (%d).", JournalSuperblock.users(b));
        }
        if (!JournalSuperblock.isVersion2(b) && JournalSuperblock.hasVersion2Fields(b)) {
            report.note("Note: found invalid V2 journal superblock fields (from V1 journal).");
        }
        int unknown = JournalSuperblock.incompat(b) & ~JournalFeature.INCOMPAT_KNOWN;
        if (unknown != 0) {
            report.problem("Journal superblock has an unknown incompatible feature flag set (0x%x).", unknown);
        }
        if (JournalSuperblock.roCompat(b) != 0) {
            report.problem(
                    "Journal superblock has an unknown read-only feature flag set (0x%x).",
                    JournalSuperblock.roCompat(b));
        }
        if (JournalSuperblock.start(b) != 0 && !sb.has(Feature.RECOVER)) {
            report.note("Note: superblock needs_recovery flag is clear, but journal has data.");
        }
    }
}
