// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.JournalProvider;
import ext4.testkit.journal.Jbd2JournalContract;

/** All that a journal's test needs. */
class PlainJournalTest extends Jbd2JournalContract {
    @Override
    protected JournalProvider provider() {
        return new PlainJournalProvider();
    }
}
