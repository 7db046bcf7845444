// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalProvider;
import ext4.format.jbd2.BlockHeader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What a journal in the format of the kernel's JBD2 must keep besides: it survives every log that it finds, e2fsck and the
 * kernel replay the logs that it writes, and it theirs. A mounted filesystem is switched only between providers of which
 * each passes this.
 */
public abstract class Jbd2JournalContract extends LoggedJournalContract {
    /** A block that begins like a control block does not stand so in the log, where a scan would take it for one. */
    @Test
    void aBlockThatLooksLikeAControlBlockIsEscaped() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 7, block)); // multiples of 7 begin with the magic number
        int control = 0;
        for (int lblk = 1; lblk < ModelHost.LOG; lblk++) {
            control += BlockHeader.hasMagic(image, (int) host.logBlock(lblk) * ModelHost.BLOCK) ? 1 : 0;
        }
        assertTrue(BlockHeader.hasMagic(block.data(), 0));
        assertEquals(2, control, "descriptor and commit block, nothing else");
    }

    /** Power is lost at every write. */
    @Nested
    class Crashes extends CrashTests {
        @Override
        protected JournalProvider provider() {
            return Jbd2JournalContract.this.provider();
        }
    }

    /** Logs that nobody sane wrote. */
    @Nested
    class HostileLogs extends HostileLogTests {
        @Override
        protected JournalProvider provider() {
            return Jbd2JournalContract.this.provider();
        }
    }

    /** The judges: e2fsck and the kernel. */
    @Nested
    class Judges extends JudgeTests {
        @Override
        protected JournalProvider provider() {
            return Jbd2JournalContract.this.provider();
        }
    }
}
