// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import java.time.InstantSource;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Service {@code plain}. By its ranking it is chosen only by name. */
@Component(
        immediate = true,
        property = {JournalProvider.NAME + "=plain", "service.ranking:Integer=-1000"})
public final class PlainJournalProvider implements JournalProvider {
    /** All that runs after the bundle may be gone: an update closes the old revision while its journal still works. */
    private static final List<String> CLASSES = List.of(
            "ext4.journal.plain.Commits",
            "ext4.journal.plain.Handles",
            "ext4.journal.plain.LogArea",
            "ext4.journal.plain.LogWriter",
            "ext4.journal.plain.PlainBarrier",
            "ext4.journal.plain.PlainHandle",
            "ext4.journal.plain.PlainHandle$Kind",
            "ext4.journal.plain.PlainJournal",
            "ext4.journal.plain.Recovery",
            "ext4.journal.plain.Recovery$Copy",
            "ext4.journal.plain.State",
            "ext4.journal.plain.Tally",
            "ext4.journal.plain.Transaction",
            "ext4.journal.plain.Version",
            "ext4.format.FormatException",
            "ext4.format.checksum.Crc32c",
            "ext4.format.jbd2.BlockHeader",
            "ext4.format.jbd2.CommitBlock",
            "ext4.format.jbd2.Crc32Be",
            "ext4.format.jbd2.DescriptorReader",
            "ext4.format.jbd2.DescriptorWriter",
            "ext4.format.jbd2.FastCommitBlock",
            "ext4.format.jbd2.FastCommitBlock$TailFinder",
            "ext4.format.jbd2.JournalFeature",
            "ext4.format.jbd2.JournalSuperblock",
            "ext4.format.jbd2.LogFormat",
            "ext4.format.jbd2.RevokeBlock");

    private final InstantSource clock;

    /** Loads what journals will need. */
    public PlainJournalProvider() {
        this(InstantSource.system());
    }

    /** @param clock for the times in commit blocks */
    public PlainJournalProvider(InstantSource clock) {
        this.clock = clock;
        for (String name : CLASSES) {
            try {
                Class.forName(name, true, PlainJournalProvider.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("the bundle lacks " + name, e);
            }
        }
    }

    @Override
    public boolean journals() {
        return true;
    }

    @Override
    public JournalRecovery recover(JournalHost host) {
        return new Recovery(host).run();
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return new PlainJournal(host, options, new LogWriter(LogArea.toWrite(host), options.barrier(), clock));
    }
}
