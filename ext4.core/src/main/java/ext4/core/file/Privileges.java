// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.InodeXattrs;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;
import ext4.format.inode.FileMode;

/**
 * Takes back what gave a file's program rights: set-user-id, set-group-id where the group may execute (without that bit it
 * is a mark for mandatory locking), and the attribute security.capability. Directories keep theirs.
 */
final class Privileges {
    private final Volume volume;
    private final InodeStore store;
    private final InodeXattrs xattrs;

    Privileges(Volume volume, InodeStore store, InodeXattrs xattrs) {
        this.volume = volume;
        this.store = store;
        this.xattrs = xattrs;
    }

    /** The mode that is left. */
    static int kill(int mode) {
        if (FileMode.isDirectory(mode)) {
            return mode;
        }
        int left = mode & ~FileMode.S_ISUID;
        return (mode & FileMode.S_IXGRP) != 0 ? left & ~FileMode.S_ISGID : left;
    }

    /**
     * Takes them back in a transaction of its own, if there are any; from root, who may keep set-id bits, the attribute
     * only. The write lock is held, no handle is open.
     */
    void killBy(Credentials who, Inode inode) {
        if (who.uid() == 0) {
            killCapability(inode);
        } else {
            kill(inode);
        }
    }

    /** The attribute only: no caller keeps it when contents change. As {@link #kill} otherwise. */
    void killCapability(Inode inode) {
        if (!xattrs.hasCapability(inode)) {
            return;
        }
        int credits = InodeStore.CREDITS + InodeXattrs.CAPABILITY_CREDITS;
        try (Handle handle = volume.start(HandleKind.INODE, credits, 0)) {
            xattrs.removeCapability(handle, inode);
            Times.changed(inode, volume.clock().nanos());
            store.write(handle, inode);
        }
    }

    /** Takes them back in a transaction of its own, if there are any. The write lock is held, no handle is open. */
    void kill(Inode inode) {
        boolean capability = !inode.isDirectory() && xattrs.hasCapability(inode);
        if (kill(inode.mode) == inode.mode && !capability) {
            return;
        }
        int credits = InodeStore.CREDITS + (capability ? InodeXattrs.CAPABILITY_CREDITS : 0);
        try (Handle handle = volume.start(HandleKind.INODE, credits, 0)) {
            if (capability) {
                xattrs.removeCapability(handle, inode);
            }
            inode.mode = kill(inode.mode);
            Times.changed(inode, volume.clock().nanos());
            store.write(handle, inode);
        }
    }
}
