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
import ext4.core.cache.BlockCache;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;

/** What all parts of a mounted filesystem share: device, geometry, cache, journal, clock, state. Any thread. */
public final class Volume {
    private final BlockDevice device;
    private final Superblock superblock;
    private final GroupLayout layout;
    private final MountOptions options;
    private final BlockCache cache;
    private final SuperblockBuffer superblockBuffer;
    private final WallClock clock;
    private final ErrorPolicy errors;
    private volatile Journal journal;
    private volatile boolean readOnly;

    /**
     * @param superblock as read from {@code device}, after recovery of the journal
     * @param cacheBytes budget of the block cache
     */
    public Volume(BlockDevice device, Superblock superblock, MountOptions options, WallClock clock, long cacheBytes) {
        this.device = device;
        this.superblock = superblock;
        this.options = options;
        this.clock = clock;
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

    /** The journal; null before it is opened and where nothing is ever written. */
    public Journal journal() {
        return journal;
    }

    /** Sets the journal, once, before the first {@link #start}. */
    public void journal(Journal opened) {
        journal = opened;
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
     * Starts a handle; arguments as for {@link Journal#start}.
     *
     * @throws ErrnoException EROFS if changes are refused
     */
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        if (readOnly) {
            throw ErrnoException.of(Errno.EROFS);
        }
        return journal.start(kind, credits, orphanChanges);
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

    /** Whether these credentials may use the reserved blocks: the superuser, or the user or group of the superblock. */
    public boolean mayUseReserve(Credentials who) {
        return who.uid() == 0
                || who.uid() == superblock.reservedUid()
                || superblock.reservedGid() != 0 && who.gid() == superblock.reservedGid();
    }
}
