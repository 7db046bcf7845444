// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.InodeBitmaps;
import ext4.core.cache.CachedBlock;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.format.extent.ExtentNode;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeDtime;
import ext4.format.inode.InodeFlags;
import ext4.format.superblock.Feature;

/** Takes inode numbers into use and frees them. A handle is open. */
public final class InodeAllocator {
    /**
     * Credits of {@link #allocate}: inode bitmap, descriptor block, inode-table block, and the block bitmap where it was
     * uninitialised.
     */
    public static final int ALLOCATE_CREDITS = 4;
    /** Credits of {@link #free}: inode bitmap, descriptor block, inode-table block. */
    public static final int FREE_CREDITS = 3;

    private final Volume volume;
    private final GroupTable groups;
    private final InodeBitmaps bitmaps;
    private final InodePlacement placement;
    private final InodeStore store;
    private final InodeCache cache;
    private final Pins pins;

    /** Works on these parts. */
    public InodeAllocator(
            Volume volume, GroupTable groups, InodeBitmaps bitmaps, InodeStore store, InodeCache cache, Pins pins) {
        this.volume = volume;
        this.groups = groups;
        this.bitmaps = bitmaps;
        this.store = store;
        this.cache = cache;
        this.pins = pins;
        placement = new InodePlacement(volume.superblock(), groups, bitmaps);
    }

    /**
     * A new inode, its record written with one link (two for a directory): held, and its write lock taken by the calling
     * thread, so nobody sees it before the caller is done and releases both. Owner, group (that of a set-group-id
     * parent), inherited flags, times, generation and an empty extent root are set. A caller that fails afterwards undoes
     * with {@link #free} under the same handle, then releases the lock and the hold.
     *
     * @param parent directory it will stand in, read or write lock held
     * @param mode type and permission bits, umask applied
     * @throws ErrnoException ENOSPC without a change
     */
    public Inode allocate(Handle handle, Inode parent, int mode, Credentials who) {
        boolean directory = FileMode.isDirectory(mode);
        int start = placement.group(parent, directory);
        CachedBlock[] table = new CachedBlock[1];
        try {
            for (int i = 0; i < groups.count(); i++) {
                int group = (start + i) % groups.count();
                int ino = bitmaps.take(
                        handle, group, directory, pins::isPromised, number -> table[0] = tableOfNew(number));
                if (ino != 0) {
                    return create(handle, parent, ino, mode, who);
                }
            }
        } finally {
            if (table[0] != null) {
                table[0].close();
            }
        }
        throw ErrnoException.of(Errno.ENOSPC);
    }

    /**
     * The table block of a number about to be used, if it is untouched: made of zeros now, and held until the record is
     * written, since afterwards the table counts as used and the block would be read from the device.
     */
    private CachedBlock tableOfNew(int ino) {
        return store.untouched(ino) ? store.tableBlock(ino) : null;
    }

    private Inode create(Handle handle, Inode parent, int ino, int mode, Credentials who) {
        Inode inode = cache.add(ino, volume.superblock().wantExtraIsize());
        boolean written = false;
        try {
            initialize(inode, parent, mode, who);
            store.writeNew(handle, inode);
            written = true;
            return inode;
        } finally {
            if (!written) {
                giveBack(handle, inode, FileMode.isDirectory(mode));
            }
        }
    }

    /** The table's block could not be read: the number is as free as before, and nobody has seen the inode. */
    private void giveBack(Handle handle, Inode inode, boolean directory) {
        inode.freed = true;
        cache.remove(inode);
        inode.lock.writeLock().unlock();
        cache.put(inode);
        bitmaps.release(handle, inode.ino, directory);
    }

    private void initialize(Inode inode, Inode parent, int mode, Credentials who) {
        inode.generation = volume.newGeneration();
        inode.version = 1;
        inode.nlink = FileMode.isDirectory(mode) ? 2 : 1;
        setOwner(inode, parent, mode, who);
        inode.flags = InodeFlags.inherited(parent.flags, mode);
        inode.projectId = inode.hasFlag(InodeFlags.PROJINHERIT) ? parent.projectId : 0;
        inode.setTimes(volume.clock().nanos(), volume.superblock().inodeSize());
        boolean mapped = FileMode.isRegular(mode) || FileMode.isDirectory(mode);
        if (mapped && volume.superblock().has(Feature.EXTENTS)) {
            inode.flags |= InodeFlags.EXTENTS;
            ExtentNode.initRoot(inode.iBlock, 0);
        }
    }

    private static void setOwner(Inode inode, Inode parent, int mode, Credentials who) {
        inode.uid = who.uid();
        inode.mode = mode;
        if ((parent.mode & FileMode.S_ISGID) != 0) {
            inode.gid = parent.gid;
            if (FileMode.isDirectory(mode)) {
                inode.mode |= FileMode.S_ISGID;
            }
        } else {
            inode.gid = who.gid();
        }
    }

    /**
     * Frees the number of {@code inode}, whose write lock is held, whose blocks are freed and which is off the orphan
     * list: writes the record without links and with the deletion time, clears the bit.
     */
    public void free(Handle handle, Inode inode) {
        boolean directory = inode.isDirectory();
        inode.nlink = 0;
        inode.size = 0;
        long now = WallClock.seconds(volume.clock().nanos());
        int deletionTime = InodeDtime.deletionTime(now, volume.superblock().inodesCount());
        store.writeFreed(handle, inode, deletionTime);
        inode.freed = true;
        // In this order and before the number can be used again: nobody may load the record as that of an unlinked
        // inode
        // in use, nor may the state of the number's next user be touched.
        pins.linked(inode.ino);
        cache.remove(inode);
        bitmaps.release(handle, inode.ino, directory);
    }
}
