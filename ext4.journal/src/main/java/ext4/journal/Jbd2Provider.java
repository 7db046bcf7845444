// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.journal.engine.Engine;
import ext4.journal.log.LogSink;
import ext4.journal.recovery.Recovery;
import java.time.InstantSource;
import org.osgi.service.component.annotations.Component;

/** Journals in the format of the kernel's JBD2. */
@Component(immediate = true, property = JournalProvider.NAME + "=jbd2")
public final class Jbd2Provider implements JournalProvider {
    private final InstantSource clock;

    /** Loads what journals will need. */
    public Jbd2Provider() {
        this(InstantSource.system());
    }

    /** @param clock for the times in commit blocks */
    public Jbd2Provider(InstantSource clock) {
        this.clock = clock;
        Preload.all();
    }

    @Override
    public boolean journals() {
        return true;
    }

    @Override
    public JournalRecovery recover(JournalHost host) {
        return Recovery.recover(host);
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return new Engine(host, options, new LogSink(host, options, clock));
    }
}
