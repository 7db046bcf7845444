// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.InodeXattrs;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;

/** chmod(2), chown(2), utimensat(2) and truncate(2). */
public final class SetAttr {
    private static final int OWNER = AttributeChange.UID | AttributeChange.GID;
    private static final int GUARDED = AttributeChange.MODE | OWNER | AttributeChange.ATIME | AttributeChange.MTIME;
    private static final int RECORD =
            GUARDED | AttributeChange.ATIME_NOW | AttributeChange.MTIME_NOW | AttributeChange.CTIME;

    private final Engine engine;
    private final Volume volume;
    private final Truncate truncate;
    private final Privileges privileges;
    private final InodeXattrs xattrs;

    SetAttr(Engine engine, Truncate truncate, Privileges privileges, InodeXattrs xattrs) {
        this.engine = engine;
        this.xattrs = xattrs;
        this.truncate = truncate;
        this.privileges = privileges;
        volume = engine.volume();
    }

    /** See {@link ext4.api.fs.FileSystem#setattr}. */
    public void setattr(int ino, AttributeChange change, Attributes out) {
        volume.checkWritable();
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.writeLock().lock();
            try {
                inode.checkLive();
                apply(inode, change);
                GetAttr.fill(inode, out);
            } finally {
                inode.lock.writeLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    private void apply(Inode inode, AttributeChange change) {
        boolean guarded = inode.hasFlag(InodeFlags.IMMUTABLE) || inode.hasFlag(InodeFlags.APPEND);
        if (guarded && (change.valid & (GUARDED | AttributeChange.SIZE)) != 0) {
            throw ErrnoException.of(Errno.EPERM);
        }
        if (inode.hasFlag(InodeFlags.IMMUTABLE)) {
            throw ErrnoException.of(Errno.EPERM);
        }
        if ((change.valid & AttributeChange.SIZE) != 0) {
            FileChecks.regular(inode);
            truncate.checkSize(change.size);
        }
        if ((change.valid & AttributeChange.KILL_PRIVILEGES) != 0 || (change.valid & OWNER) != 0) {
            privileges.kill(inode);
        } else if ((change.valid & AttributeChange.SIZE) != 0) {
            privileges.killCapability(inode);
        }
        if ((change.valid & AttributeChange.SIZE) != 0) {
            truncate.setSize(inode, change.size);
        }
        if ((change.valid & RECORD) != 0 || alwaysRemoves()) {
            record(inode, change);
        }
    }

    private boolean alwaysRemoves() {
        return volume.options().alwaysRemoveOrphans();
    }

    private void record(Inode inode, AttributeChange change) {
        boolean mode = (change.valid & AttributeChange.MODE) != 0;
        int credits = InodeStore.CREDITS + (mode ? InodeXattrs.CAPABILITY_CREDITS : 0);
        try (Handle handle = volume.start(HandleKind.INODE, credits, alwaysRemoves() ? 1 : 0)) {
            setFields(inode, change);
            engine.records().write(handle, inode);
            if (mode) {
                xattrs.modeChanged(handle, inode);
            }
            // What the kernel of 2010 did after each setattr, whether or not it had put the inode on the list. One
            // without links stays on it, or it would never be freed.
            if (alwaysRemoves() && inode.nlink > 0) {
                engine.records().takeOffOrphanList(handle, inode.ino);
            }
        }
    }

    private void setFields(Inode inode, AttributeChange change) {
        int valid = change.valid;
        long now = volume.clock().nanos();
        if ((valid & AttributeChange.UID) != 0) {
            inode.uid = change.uid;
        }
        if ((valid & AttributeChange.GID) != 0) {
            inode.gid = change.gid;
        }
        if ((valid & AttributeChange.MODE) != 0) {
            inode.mode = inode.mode & FileMode.S_IFMT | change.mode & FileMode.PERMISSIONS;
        }
        if ((valid & AttributeChange.ATIME_NOW) != 0) {
            Times.setAtime(inode, WallClock.seconds(now), WallClock.fraction(now));
        } else if ((valid & AttributeChange.ATIME) != 0) {
            Times.setAtime(inode, change.atime, change.atimeNanos);
        }
        if ((valid & AttributeChange.MTIME_NOW) != 0) {
            Times.setMtime(inode, WallClock.seconds(now), WallClock.fraction(now));
        } else if ((valid & AttributeChange.MTIME) != 0) {
            Times.setMtime(inode, change.mtime, change.mtimeNanos);
        }
        if ((valid & AttributeChange.CTIME) != 0) {
            Times.setCtime(inode, change.ctime, change.ctimeNanos);
        } else {
            Times.changed(inode, now);
        }
    }
}
