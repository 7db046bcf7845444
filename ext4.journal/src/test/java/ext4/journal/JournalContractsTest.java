// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import ext4.api.journal.JournalProvider;
import ext4.testkit.journal.Jbd2JournalContract;
import ext4.testkit.journal.JournalContract;
import org.junit.jupiter.api.Nested;

/** Both providers of this module keep the contract. */
class JournalContractsTest {
    @Nested
    class Jbd2 extends Jbd2JournalContract {
        @Override
        protected JournalProvider provider() {
            return new Jbd2Provider();
        }
    }

    @Nested
    class WithoutALog extends JournalContract {
        @Override
        protected JournalProvider provider() {
            return new NoLogProvider();
        }
    }
}
