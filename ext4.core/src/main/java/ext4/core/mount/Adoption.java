// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.inode.Inode;
import ext4.core.inode.Pins;
import ext4.core.orphan.OrphanCleanup;
import ext4.core.volume.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over a filesystem whose inodes are in use, once. {@link #judge} looks at everything and writes nothing;
 * {@link #begin} opens journal and list and can be undone; what {@link #finish} does then is work of a filesystem that is
 * mounted, and so are its errors. Nothing here takes longer because many inodes are pinned: their generations are looked at
 * when they are used first. Orphans without links that nobody has pinned are left to the evictor.
 */
final class Adoption {
    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

    private final Assembly parts;
    private final Volume volume;
    private final Pins pins;
    private final SuperblockMarks marks;
    private final WriteOpening opening;
    private final PinnedInodes pinned;
    private final boolean journals;

    private List<OrphanPlace> places = List.of();
    private List<OrphanPlace> onDisk = List.of();
    /** Orphans with links: truncates that were interrupted. */
    private final List<Integer> toCut = new ArrayList<>();
    /** Orphans without links and without pins. */
    private final List<Integer> toFree = new ArrayList<>();

    Adoption(Assembly parts, SuperblockMarks marks, WriteOpening opening, PinnedInodes pinned, boolean journals) {
        this.parts = parts;
        this.marks = marks;
        this.opening = opening;
        this.pinned = pinned;
        this.journals = journals;
        volume = parts.volume;
        pins = parts.engine.pins();
    }

    /**
     * Takes the pins, and reads and judges the orphans.
     *
     * @param mayWrite false where orphans could not be processed anyway
     */
    void judge(boolean mayWrite) {
        pinned.forEach((ino, generation, count, unlinked) -> {
            check(ino);
            if (count > 0 && ino != Inode.ROOT) {
                pins.adopt(ino, generation, count);
            }
        });
        if (!mayWrite) {
            return;
        }
        onDisk = opening.readOrphans();
        places = onDisk;
        for (OrphanPlace place : onDisk) {
            sort(place.ino());
        }
        if (!journals) {
            places = new ArrayList<>(onDisk);
            addUnlisted();
        }
    }

    private void check(int ino) {
        int first = volume.superblock().firstIno();
        int last = volume.superblock().inodesCount();
        boolean possible = Integer.compareUnsigned(ino, first) >= 0 && Integer.compareUnsigned(ino, last) <= 0;
        if (ino != Inode.ROOT && !possible) {
            throw new IllegalArgumentException(volume.device().name() + ": inode " + Integer.toUnsignedString(ino)
                    + " is pinned, but can be no file's: there are those from " + first + " to "
                    + Integer.toUnsignedString(last));
        }
    }

    /** What is to become of an orphan. */
    private void sort(int ino) {
        Inode inode = parts.engine.inodes().getUnlinked(ino);
        try {
            if (inode.nlink > 0) {
                toCut.add(ino);
            } else if (pins.count(ino) > 0 && !parts.engine.inodes().isStale(inode)) {
                pins.unlinked(ino);
            } else {
                toFree.add(ino);
            }
        } finally {
            parts.engine.inodes().put(inode);
        }
    }

    /** Without a journal the device lists no orphans: every pinned inode is looked at, and those that wait to be freed. */
    private void addUnlisted() {
        Set<Integer> listed = new HashSet<>();
        onDisk.forEach(place -> listed.add(place.ino()));
        pinned.forEach((ino, generation, count, unlinked) -> {
            if (ino != Inode.ROOT && !listed.contains(ino) && isUnlinked(ino, generation)) {
                places.add(OrphanPlace.nowhere(ino));
                sort(ino);
            }
        });
    }

    private boolean isUnlinked(int ino, int generation) {
        if (!parts.bitmaps.used(ino)) {
            return false;
        }
        Inode inode;
        try {
            inode = parts.engine.inodes().getUnlinked(ino);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ESTALE) {
                return false;
            }
            throw e;
        } catch (CorruptException e) {
            return false; // as it is, with or without links; who uses it is told
        }
        boolean unlinked = inode.nlink == 0 && inode.generation == generation;
        parts.engine.inodes().put(inode);
        return unlinked;
    }

    /** Opens journal and orphan list. A throw leaves nothing open, and nothing written but marks. */
    void begin(MountedFileSystem fs, JournalProvider provider, String strategyName, OrphanStrategy strategy) {
        parts.evictor.start();
        boolean done = false;
        try {
            marks.adopted(pinned.wasClean());
            fs.opened(opening.openJournal(provider, strategyName, strategy, places));
            volume.readOnly(false);
            done = true;
        } finally {
            if (!done) {
                parts.evictor.close();
            }
        }
    }

    /** Does what a crash or the predecessor left to do. Throws nothing. */
    void finish() {
        if (marks.hasErrors()) {
            LOG.warn(
                    "{}: taken over with recorded errors, run fsck",
                    volume.device().name());
        } else {
            OrphanCleanup cleanup = new OrphanCleanup(parts.engine, parts.evict, parts.files.truncate());
            toCut.forEach(ino -> orAbort("truncate", ino, () -> cleanup.cut(ino)));
            if (!journals && !onDisk.isEmpty()) {
                orAbort("orphan list", 0, () -> cleanup.clear(onDisk, opening.store()));
            }
            for (int ino : toFree) {
                if (pins.count(ino) == 0) {
                    pins.unlinked(ino);
                }
                parts.evictor.evict(ino);
            }
        }
        parts.evictor.go();
    }

    /**
     * A truncate has to be finished before a verb can make the file longer, and show what lies behind its end. Where that
     * fails nothing may change any more, but who has files open goes on reading.
     */
    private void orAbort(String what, int ino, Runnable work) {
        try {
            work.run();
        } catch (CorruptException e) {
            volume.errors().changing(what, ino, e);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: {} of inode {} can't be finished", volume.device().name(), what, ino, e);
            volume.journal().abort(e);
        }
    }
}
