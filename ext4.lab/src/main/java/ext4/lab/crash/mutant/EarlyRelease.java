// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.lab.stack.ForwardingJournal;

/** Tells the core that the running transaction is durable whenever a part of it begins. */
final class EarlyRelease extends ForwardingJournal.Provider {
    EarlyRelease(JournalProvider inner) {
        super(inner);
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return new ForwardingJournal(inner.open(host, options)) {
            @Override
            public Handle start(HandleKind kind, int credits, int orphanChanges) {
                host.committed(journal.runningTid());
                return super.start(kind, credits, orphanChanges);
            }
        };
    }
}
