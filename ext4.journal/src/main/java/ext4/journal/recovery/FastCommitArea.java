// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.format.jbd2.FastCommitBlock;
import ext4.format.jbd2.JournalSuperblock;
import ext4.journal.log.LogFile;

/** The fast-commit area: whether it holds anything that would have to be replayed. */
final class FastCommitArea {
    private FastCommitArea() {}

    /** Whether there is a valid fast commit for transaction {@code tid}, the one after the last full commit. */
    static boolean holds(LogFile file, LogReader reader, int tid) {
        if (JournalSuperblock.fastCommitBlocks(file.superblock()) == 0) {
            return false;
        }
        byte[] block = new byte[file.host().blockSize()];
        FastCommitBlock.TailFinder tail = new FastCommitBlock.TailFinder(tid);
        // The block at the log's end is not used: the area begins behind it.
        for (int lblk = file.end() + 1; lblk < file.map().length(); lblk++) {
            reader.read(lblk, block);
            if (lblk == file.end() + 1 && !FastCommitBlock.beginsWithHead(block, tid)) {
                return false;
            }
            if (!tail.read(block)) {
                break;
            }
        }
        return tail.found();
    }
}
