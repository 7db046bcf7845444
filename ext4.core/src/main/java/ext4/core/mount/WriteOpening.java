// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.orphan.CoreOrphanStore;
import ext4.core.orphan.OrphanCleanup;
import ext4.core.orphan.OrphanKeeper;
import ext4.core.orphan.OrphanReader;
import ext4.core.volume.Volume;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a filesystem for writing: when it is mounted, or later if it was mounted read-only. It keeps no service, which
 * would keep the class loader of a bundle that is replaced.
 */
final class WriteOpening {
    private static final Logger LOG = LoggerFactory.getLogger(WriteOpening.class);

    private final Assembly parts;
    private final Volume volume;
    private final SuperblockMarks marks;
    private final JournalSuccession journals;
    private final CoreOrphanStore store;

    WriteOpening(Assembly parts, SuperblockMarks marks, CoreJournalHost host) {
        this.parts = parts;
        this.marks = marks;
        volume = parts.volume;
        journals = new JournalSuccession(volume, host, parts.evictor);
        store = new CoreOrphanStore(
                volume, parts.engine.records(), parts.engine.inodes(), parts.engine.map(), parts.groups.zone());
    }

    /** Opens and replaces journals. */
    JournalSuccession journals() {
        return journals;
    }

    /** Where orphans are recorded. */
    CoreOrphanStore store() {
        return store;
    }

    /** What orphans there are; nothing is done about a bad chain. */
    List<OrphanPlace> readOrphans() {
        return new OrphanReader(volume, store, parts.engine.inodes(), parts.bitmaps, parts.engine.map()).read();
    }

    /** What orphans there are. After errors they are not trusted: a bad chain is left to fsck, as the kernel does. */
    List<OrphanPlace> orphans() {
        try {
            return readOrphans();
        } catch (CorruptException e) {
            if (!marks.hasErrors()) {
                throw e;
            }
            LOG.warn(
                    "{}: has errors and a bad list of orphans, which is left to fsck",
                    volume.device().name(),
                    e);
            marks.forgetChain();
            return List.of();
        }
    }

    /** Opens the journal, marks the superblock, attaches the strategy and processes the orphans. */
    void open(
            MountedFileSystem fs,
            JournalProvider provider,
            String strategyName,
            OrphanStrategy strategy,
            List<OrphanPlace> orphans) {
        // An unusable journal is refused before anything is written; nothing is logged before the marks are there.
        Journal journal = journals.open(provider);
        try {
            marks.mounted();
            volume.journal(journal);
            fs.opened(new OrphanKeeper(store, journal, strategyName, strategy, orphans));
            volume.readOnly(false);
            if (marks.hasErrors()) {
                LOG.warn(
                        "{}: mounted with recorded errors, run fsck",
                        volume.device().name());
            } else {
                new OrphanCleanup(parts.engine, parts.evict, parts.files.truncate()).run(orphans, store);
            }
            parts.evictor.start();
            parts.evictor.go();
        } catch (RuntimeException | Error e) {
            // What was begun must not reach the disk half-made; the log is left for the next mount.
            volume.readOnly(true);
            journal.abort(e);
            journal.close();
            throw e;
        }
    }

    /**
     * Opens the journal and attaches the strategy of a filesystem that is mounted: nothing is written but what opening a
     * journal writes. A throw leaves the journal closed and its log empty.
     */
    OrphanKeeper openJournal(
            JournalProvider provider, String strategyName, OrphanStrategy strategy, List<OrphanPlace> orphans) {
        Journal journal = journals.open(provider);
        try {
            volume.journal(journal); // the store asks it whether orphans are kept on disk
            return new OrphanKeeper(store, journal, strategyName, strategy, orphans);
        } catch (RuntimeException | Error e) {
            volume.journal(null);
            closeUnused(journal, e);
            throw e;
        }
    }

    private static void closeUnused(Journal journal, Throwable cause) {
        try {
            journal.close();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
