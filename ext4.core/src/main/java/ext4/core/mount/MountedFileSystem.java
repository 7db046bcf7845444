// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.HandOver;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.SwapReport;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.orphan.OrphanKeeper;
import ext4.core.volume.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mounted filesystem: the verbs of {@link Verbs}, and what an operator does with it. */
final class MountedFileSystem extends Verbs implements CoreFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(MountedFileSystem.class);

    private final Assembly parts;
    private final Volume volume;
    private final SuperblockMarks marks;
    private final WriteOpening opening;
    /** Guarded by this. */
    private final Freezing freezing;

    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether a remount left the image clean, so that the end of the mount has nothing to write. Guarded by this. */
    private boolean clean;
    /** Whether the end of the mount left orphans. Guarded by this. */
    private boolean orphansLeft;

    private volatile OrphanKeeper keeper;
    private volatile String readOnlyStrategy;

    MountedFileSystem(
            Assembly parts, SuperblockMarks marks, WriteOpening opening, String strategyName, long journalBlocks) {
        super(parts.engine, parts.files, new NameVerbs(parts.engine, parts.xattrs), journalBlocks);
        this.parts = parts;
        this.marks = marks;
        this.opening = opening;
        volume = parts.volume;
        freezing = new Freezing(parts, marks, opening);
        readOnlyStrategy = strategyName;
    }

    /** The journal is open and a strategy attached. */
    void opened(OrphanKeeper orphans) {
        keeper = orphans;
    }

    @Override
    public boolean readOnly() {
        Journal journal = volume.journal(); // which refuses before it has told of its abort
        return volume.readOnly() || journal != null && journal.abortCause() != null;
    }

    @Override
    public String strategyName() {
        OrphanKeeper current = keeper;
        return current == null ? readOnlyStrategy : current.name();
    }

    @Override
    public SwapReport swapOrphanStrategy(String name, OrphanStrategy strategy) {
        OrphanKeeper current = keeper;
        if (current != null) {
            return current.swap(name, strategy);
        }
        // Mounted read-only: no list is kept, so there is only the name to change.
        SwapReport report = new SwapReport(readOnlyStrategy, name, 0, 0, 0);
        readOnlyStrategy = name;
        return report;
    }

    @Override
    public SwapReport detachOrphanStrategy() {
        OrphanKeeper current = keeper;
        if (current != null) {
            return current.detach();
        }
        SwapReport report = new SwapReport(readOnlyStrategy, OrphanKeeper.NONE, 0, 0, 0);
        readOnlyStrategy = OrphanKeeper.NONE;
        return report;
    }

    @Override
    public synchronized HandOver swapJournal(JournalProvider from, JournalProvider to) {
        opening.journals().checkKind(to);
        // Mounted read-only: no journal was opened.
        return keeper == null ? new HandOver(0, 0, 0) : opening.journals().swap(keeper, from, to);
    }

    @Override
    public synchronized HandOver detachJournal() {
        return keeper == null ? new HandOver(0, 0, 0) : opening.journals().detach(keeper);
    }

    @Override
    public List<OrphanPlace> orphans() {
        OrphanKeeper current = keeper;
        return current == null ? List.of() : current.present();
    }

    @Override
    public Map<String, String> status() {
        return new StatusReport(parts, keeper, strategyName()).lines();
    }

    @Override
    public void awaitEvictions() {
        parts.evictor.await();
    }

    @Override
    public void prepareFreeze() {
        freezing.prepare();
    }

    @Override
    public synchronized PinnedInodes freeze() {
        OrphanKeeper orphans = keeper;
        PinnedInodes pins = freezing.freeze(orphans);
        if (orphans != null) {
            readOnlyStrategy = orphans.name();
            keeper = null;
        }
        return pins;
    }

    @Override
    public synchronized void thaw(JournalProvider journal, String strategyName, OrphanStrategy strategy) {
        freezing.thaw(this, journal, strategyName, strategy);
        readOnlyStrategy = strategyName;
    }

    @Override
    public synchronized void remountReadOnly() {
        if (volume.readOnly()) {
            return;
        }
        parts.evictor.await();
        if (!unlinked().isEmpty()) {
            throw ErrnoException.of(Errno.EBUSY);
        }
        // what could not be freed stays an orphan, for the next mount or fsck
        boolean orphansLeft = !keeper.present().isEmpty();
        volume.readOnly(true);
        Journal journal = volume.journal();
        journal.commitRunning();
        journal.checkpoint();
        marks.unmounted(orphansLeft);
        clean = true;
    }

    @Override
    public synchronized void remountReadWrite(JournalProvider journal, String strategyName, OrphanStrategy strategy) {
        if (freezing.isFrozen()) {
            throw new IllegalStateException(volume.device().name() + " is frozen");
        }
        if (!volume.readOnly()) {
            return;
        }
        RemountCheck.mayWrite(volume);
        parts.groups.checkSums();
        if (keeper != null) {
            marks.mounted();
            clean = false;
            volume.readOnly(false);
            return;
        }
        List<OrphanPlace> orphans = opening.orphans();
        if (!orphans.isEmpty()) {
            throw new CorruptException(
                    "orphan list of " + volume.device().name(),
                    -1,
                    "entries",
                    orphans.size() + " not processed",
                    "none; unmount it and mount it read-write");
        }
        opening.open(this, journal, strategyName, strategy, orphans);
    }

    @Override
    public synchronized void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (keeper != null) {
            closeForWriting();
        }
        // a frozen one is another's by now, and has nothing open
        volume.readOnly(true);
    }

    /**
     * Everything that writing began comes to its end, and the superblock says so. Whatever fails on the way, threads are joined
     * and the journal is closed.
     */
    private void closeForWriting() {
        OrphanKeeper orphans = keeper;
        Journal journal = volume.journal();
        try {
            parts.evictor.await();
            if (!volume.journalDetached()) {
                evictPinned(); // else they stay on the list, for the next mount
            }
        } finally {
            parts.evictor.close();
            volume.readOnly(true);
            endJournal(journal, orphans);
        }
        if (journal.abortCause() == null) {
            if (!clean) {
                marks.unmounted(orphansLeft);
            }
            volume.journal(null);
        } else {
            volume.errors().recordAtEnd();
        }
    }

    private void endJournal(Journal journal, OrphanKeeper orphans) {
        orphansLeft = true;
        try {
            end(journal);
            orphansLeft = !orphans.list().present().isEmpty();
        } finally {
            orphans.list().detach();
            keeper = null;
            readOnlyStrategy = orphans.name();
        }
    }

    private static void end(Journal journal) {
        try {
            journal.close();
        } catch (RuntimeException | Error e) {
            // If it is still at work it would be for ever: the log is left for the next mount.
            journal.abort(e);
            journal.close();
            throw e;
        }
    }

    /** Whoever pinned them is gone with the mount. */
    private void evictPinned() {
        for (int ino : unlinked()) {
            try {
                parts.evict.evict(ino, HandleKind.EVICT);
            } catch (Ext4Exception e) {
                // Stays on the orphan list, for fsck or the next mount; the unmount goes on.
                volume.errors().changing("evict", ino, e);
                if (e.errno() != Errno.EROFS) {
                    LOG.error("{}: inode {} is not freed", volume.device().name(), ino, e);
                }
            }
        }
    }

    /** Unlinked inodes that are not freed. */
    private List<Integer> unlinked() {
        List<Integer> unlinked = new ArrayList<>();
        engine.pins().forEach((ino, count, isUnlinked) -> {
            if (isUnlinked) {
                unlinked.add(ino);
            }
        });
        return unlinked;
    }
}
