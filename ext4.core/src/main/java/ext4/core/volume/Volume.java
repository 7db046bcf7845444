// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.core.cache.BlockCache;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.function.IntSupplier;

/** What all parts of a mounted filesystem share: device, geometry, cache, journal, clock, state. Any thread. */
public final class Volume {
    private final BlockDevice device;
    private final Superblock superblock;
    private final GroupLayout layout;
    private final MountOptions options;
    private final BlockCache cache;
    private final SuperblockBuffer superblockBuffer;
    private final WallClock clock;
    private final IntSupplier generations;
    private final ErrorPolicy errors;
    /** Guards the succession of journals, and is innermost: nothing is called while it is held but the device. */
    private final Object succession = new Object();

    private volatile Journal journal; // written with succession held
    private boolean replacing; // guarded by succession
    private volatile boolean readOnly;

    /**
     * @param superblock as read from {@code device}, after recovery of the journal
     * @param generations what new inodes get as their generation
     * @param cacheBytes budget of the block cache
     */
    public Volume(
            BlockDevice device,
            Superblock superblock,
            MountOptions options,
            WallClock clock,
            IntSupplier generations,
            long cacheBytes) {
        this.device = device;
        this.superblock = superblock;
        this.options = options;
        this.clock = clock;
        this.generations = generations;
        layout = new GroupLayout(superblock);
        cache = new BlockCache(device, superblock.blockSize(), superblock.blocksCount(), cacheBytes);
        superblockBuffer = new SuperblockBuffer(cache, superblock);
        errors = new ErrorPolicy(this);
        readOnly = true;
    }

    /** The device. */
    public BlockDevice device() {
        return device;
    }

    /** What of the superblock does not change while mounted. */
    public Superblock superblock() {
        return superblock;
    }

    /** What of the superblock changes. */
    public SuperblockBuffer superblockBuffer() {
        return superblockBuffer;
    }

    /** Where groups and their parts lie. */
    public GroupLayout layout() {
        return layout;
    }

    /** Mount options. */
    public MountOptions options() {
        return options;
    }

    /** Metadata blocks in memory. */
    public BlockCache cache() {
        return cache;
    }

    /** The clock for times on disk. */
    public WallClock clock() {
        return clock;
    }

    /** The generation of a new inode. */
    public int newGeneration() {
        return generations.getAsInt();
    }

    /** What follows an error. */
    public ErrorPolicy errors() {
        return errors;
    }

    /** Bytes of a block. */
    public int blockSize() {
        return superblock.blockSize();
    }

    /** 512-byte sectors of a block. */
    public int sectorsPerBlock() {
        return superblock.blockSize() >>> 9;
    }

    /** The journal at work or its stand-in; null before one is opened and where nothing is ever written. */
    public Journal journal() {
        return journal;
    }

    /** Sets the journal: before the first {@link #start}, or instead of one that is closed. */
    public void journal(Journal opened) {
        synchronized (succession) {
            journal = opened;
            succession.notifyAll();
        }
    }

    /** Whether the journal is being replaced: who finds it closed waits for the next one. */
    public void replacingJournal(boolean now) {
        synchronized (succession) {
            replacing = now;
            succession.notifyAll();
        }
    }

    /** Whether the journal was put out of use without a successor. */
    public boolean journalDetached() {
        return journal instanceof DetachedJournal;
    }

    /** Runs {@code action}, which writes to the device past any journal, if none is at work; whether it did. */
    boolean whileDetached(Runnable action) {
        synchronized (succession) {
            if (!journalDetached()) {
                return false;
            }
            action.run();
            return true;
        }
    }

    /** Whether changes are refused. */
    public boolean readOnly() {
        return readOnly;
    }

    /** Opens or refuses changes from now on. */
    public void readOnly(boolean refused) {
        readOnly = refused;
    }

    /**
     * Starts a handle; arguments as for {@link Journal#start}. If the journal is being replaced it is the next one's.
     *
     * @throws ErrnoException EROFS if changes are refused, EIO while no journal is at work
     */
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        while (true) {
            Journal now = journal;
            if (readOnly || now == null) {
                throw ErrnoException.of(Errno.EROFS);
            }
            try {
                return now.start(kind, credits, orphanChanges);
            } catch (JournalClosedException e) {
                awaitSuccessor(now, e);
            }
        }
    }

    /** As {@link #start}, or null while no journal is at work or changes are refused: for what may be left out. */
    public Handle startIfPossible(HandleKind kind, int credits, int orphanChanges) {
        while (true) {
            Journal now = journal;
            if (readOnly || now == null || now instanceof DetachedJournal) {
                return null;
            }
            try {
                return now.start(kind, credits, orphanChanges);
            } catch (JournalClosedException e) {
                awaitSuccessor(now, e);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.EROFS) {
                    return null; // it has aborted, and this volume has not been told yet
                }
                throw e;
            }
        }
    }

    /** As {@link #start} for work that restarts its handle: it may go on under another journal than it began with. */
    public Handle startSpanning(HandleKind kind, int credits, int orphanChanges) {
        return new SpanningHandle(this, kind, credits, orphanChanges);
    }

    /** Returns when {@code closed} is not the journal any more, or changes are refused. */
    @SuppressWarnings("ReferenceEquality") // it is about which journal is at work
    private void awaitSuccessor(Journal closed, JournalClosedException told) {
        boolean interrupted = false;
        synchronized (succession) {
            while (journal == closed && replacing) {
                try {
                    succession.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (journal == closed && !readOnly) {
                throw told; // nobody closes a journal in use but who replaces it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A transaction at or after every change made so far; 0 where nothing is written. */
    public long currentTid() {
        Journal current = journal;
        return current == null ? 0 : current.runningTid();
    }

    /** Throws EROFS if changes are refused: the first thing a changing verb does. */
    public void checkWritable() {
        if (readOnly) {
            throw ErrnoException.of(Errno.EROFS);
        }
    }

    /**
     * Blocks that only nodes of extent trees get, so that a write into allocated space does not fail: as the kernel's, the
     * 50th part but 4096 at most.
     */
    public long treeReserve() {
        return superblock.has(Feature.EXTENTS) ? Math.min(superblock.blocksCount() / 50, 4096) : 0;
    }

    /** Whether these credentials may use the reserved blocks: the superuser, or the user or group of the superblock. */
    public boolean mayUseReserve(Credentials who) {
        return who.uid() == 0
                || who.uid() == superblock.reservedUid()
                || superblock.reservedGid() != 0 && who.gid() == superblock.reservedGid();
    }
}
