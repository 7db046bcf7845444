// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.orphan.OrphanKeeper;
import ext4.core.volume.Volume;
import java.util.List;

/**
 * Takes a filesystem off its device while it stays mounted, for another core, and puts it back if that one refuses. What
 * is in memory stays right meanwhile, since the other may have set marks in the superblock and nothing else. Guarded by the
 * monitor of its {@link MountedFileSystem}; no verb runs.
 */
final class Freezing {
    /** The second writes what came in during the first, and takes a small part of its time. */
    private static final int ROUNDS_BEFORE = 2;

    private final Assembly parts;
    private final Volume volume;
    private final SuperblockMarks marks;
    private final WriteOpening opening;

    /** What thawing goes back to; null while it is at work. */
    private State state;

    /**
     * How it was.
     *
     * @param wrote whether a journal was open
     * @param orphans where each stands on disk
     */
    record State(boolean readOnly, boolean wrote, List<OrphanPlace> orphans) {}

    Freezing(Assembly parts, SuperblockMarks marks, WriteOpening opening) {
        this.parts = parts;
        this.marks = marks;
        this.opening = opening;
        volume = parts.volume;
    }

    boolean isFrozen() {
        return state != null;
    }

    /** With verbs running. */
    void prepare() {
        Journal journal = volume.journal();
        if (journal == null || volume.readOnly()) {
            return;
        }
        new PinCensus(parts.engine).take(); // what it reads is in memory then
        for (int i = 0; i < ROUNDS_BEFORE; i++) {
            journal.commitRunning();
            journal.checkpoint();
        }
    }

    /**
     * Freezes it.
     *
     * @param keeper null if it was never writable
     */
    PinnedInodes freeze(OrphanKeeper keeper) {
        if (state != null) {
            throw new IllegalStateException(name() + " is frozen already");
        }
        Journal journal = keeper == null ? null : volume.journal();
        if (journal != null && journal.abortCause() != null) {
            throw new DeviceException(name() + ": the journal aborted; unmount it and run fsck", journal.abortCause());
        }
        parts.evictor.pause();
        boolean done = false;
        try {
            PinnedInodes pins = new PinCensus(parts.engine).take();
            long before = opening.journals().bytesWritten();
            State frozen = journal == null
                    ? new State(volume.readOnly(), false, List.of())
                    : new State(volume.readOnly(), true, letGo(journal, keeper.list()));
            pins.frozen(
                    marks.wasValid(), frozen.orphans.size(), opening.journals().bytesWritten() - before);
            volume.readOnly(true);
            volume.journal(null);
            state = frozen;
            done = true;
            return pins;
        } finally {
            if (!done && journal != null && journal.abortCause() != null) {
                volume.readOnly(true); // whoever waited for the commit may hear of the abort before the host does
            }
            if (!done && keeper != null && !volume.journalDetached()) {
                parts.evictor.start();
                parts.evictor.go();
            }
        }
    }

    /** What can fail comes first, with everything still open. */
    private List<OrphanPlace> letGo(Journal journal, OrphanList list) {
        journal.commitRunning();
        journal.checkpoint();
        List<OrphanPlace> places = list.present();
        opening.journals().close(journal);
        list.detach();
        return places;
    }

    /** Thaws it; {@code fs} is told of the list at work. */
    void thaw(MountedFileSystem fs, JournalProvider provider, String strategyName, OrphanStrategy strategy) {
        if (state == null) {
            throw new IllegalStateException(name() + " is not frozen");
        }
        if (state.wrote) {
            volume.superblockBuffer().reload(volume.device());
            parts.evictor.start();
            boolean done = false;
            try {
                fs.opened(opening.openJournal(provider, strategyName, strategy, state.orphans));
                done = true;
            } finally {
                if (!done) {
                    parts.evictor.pause();
                }
            }
        }
        boolean wrote = state.wrote;
        volume.readOnly(state.readOnly);
        state = null;
        if (wrote) {
            parts.evictor.go();
        }
    }

    private String name() {
        return volume.device().name();
    }
}
