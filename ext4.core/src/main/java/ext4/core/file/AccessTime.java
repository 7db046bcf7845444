// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.MountOptions.Atime;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.format.inode.InodeFlags;

/** The access time of files and directories that are read (mount(8): strictatime, relatime, noatime). */
public final class AccessTime {
    private static final long DAY_SECONDS = 24 * 60 * 60;

    private final Volume volume;
    private final InodeStore store;

    /** Follows the mount's options. */
    public AccessTime(Volume volume, InodeStore store) {
        this.volume = volume;
        this.store = store;
    }

    /** Something was read. The caller holds the inode but no lock of it, and no handle. */
    public void read(Inode inode) {
        if (volume.readOnly() || volume.options().atime() == Atime.NOATIME) {
            return;
        }
        long now = volume.clock().nanos();
        inode.lock.readLock().lock();
        try {
            if (!due(inode, now)) {
                return;
            }
        } finally {
            inode.lock.readLock().unlock();
        }
        inode.lock.writeLock().lock();
        try {
            if (!inode.freed && due(inode, now)) {
                update(inode, now);
            }
        } finally {
            inode.lock.writeLock().unlock();
        }
    }

    private void update(Inode inode, long now) {
        try (Handle handle = volume.startIfPossible(HandleKind.INODE, InodeStore.CREDITS, 0)) {
            if (handle == null) {
                return; // a read needs no journal
            }
            Times.setAtime(inode, WallClock.seconds(now), WallClock.fraction(now));
            store.write(handle, inode);
        }
    }

    private boolean due(Inode inode, long now) {
        if (inode.hasFlag(InodeFlags.NOATIME)) {
            return false;
        }
        if (volume.options().atime() == Atime.STRICT) {
            return true;
        }
        return !later(inode, inode.mtime, inode.mtimeNanos)
                || !later(inode, inode.ctime, inode.ctimeNanos)
                || WallClock.seconds(now) - inode.atime >= DAY_SECONDS;
    }

    private static boolean later(Inode inode, long seconds, int nanos) {
        return inode.atime > seconds || inode.atime == seconds && inode.atimeNanos > nanos;
    }
}
