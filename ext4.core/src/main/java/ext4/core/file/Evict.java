// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeXattrs;
import ext4.core.volume.Volume;

/** Frees an inode that has no link left and that nobody uses: blocks, attributes, orphan list, number. */
public final class Evict {
    /** What comes after the blocks: the attribute block and the number, the record included. */
    private static final int LAST_CREDITS = InodeXattrs.FREE_CREDITS + InodeAllocator.FREE_CREDITS;

    private final Engine engine;
    private final Volume volume;
    private final InodeXattrs xattrs;

    /** Works on these parts. */
    public Evict(Engine engine, InodeXattrs xattrs) {
        this.engine = engine;
        this.xattrs = xattrs;
        volume = engine.volume();
    }

    /** Frees it; does nothing if it is freed already or has a link again. No lock or handle is held. */
    public void evict(int ino, HandleKind kind) {
        Inode inode;
        try {
            inode = engine.inodes().getUnlinked(ino);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ESTALE) {
                return;
            }
            throw e;
        }
        try {
            inode.lock.writeLock().lock();
            try {
                if (!inode.freed && inode.nlink == 0) {
                    free(inode, kind);
                }
            } finally {
                inode.lock.writeLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    private void free(Inode inode, HandleKind kind) {
        boolean mapped = engine.map().hasMap(inode) && !engine.map().isEmpty(inode);
        int credits = LAST_CREDITS + (mapped ? engine.map().removeCredits(inode) : 0);
        try (Handle handle = mapped ? volume.startSpanning(kind, credits, 1) : volume.start(kind, credits, 1)) {
            if (mapped) {
                inode.size = 0;
                engine.map().remove(handle, inode, 0, FileMap.END, 1);
                ensureLast(handle);
            }
            if (inode.xattrBlock != 0) {
                xattrs.freeBlock(handle, inode);
            }
            handle.orphans().remove(handle, inode.ino);
            engine.inodeAllocator().free(handle, inode);
        }
    }

    private static void ensureLast(Handle handle) {
        if (handle.credits() < LAST_CREDITS && !handle.extend(LAST_CREDITS)) {
            handle.restart(LAST_CREDITS, 1);
        }
    }
}
