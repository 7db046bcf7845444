// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.journal.engine.Engine;
import ext4.journal.inplace.InPlaceSink;
import org.osgi.service.component.annotations.Component;

/** Journals for filesystems without a log: transactions are written to their places. */
@Component(immediate = true, property = JournalProvider.NAME + "=none")
public final class NoLogProvider implements JournalProvider {
    /** Loads what journals will need. */
    public NoLogProvider() {
        Preload.all();
    }

    @Override
    public boolean journals() {
        return false;
    }

    @Override
    public JournalRecovery recover(JournalHost host) {
        return new JournalRecovery(0, 0, 0, 0, 0);
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return new Engine(host, options, new InPlaceSink(host, options));
    }
}
