// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;

/** Passes everything on, for a mistake to be planted into. */
class Provider implements JournalProvider {
    private final JournalProvider below;

    Provider(JournalProvider below) {
        this.below = below;
    }

    @Override
    public boolean journals() {
        return below.journals();
    }

    @Override
    public JournalRecovery recover(JournalHost host) {
        return below.recover(host);
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return below.open(host, options);
    }
}
