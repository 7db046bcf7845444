// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;

/**
 * truncate(2). Only a shrinking file goes on the orphan list, and only one that was put on it is taken off: so a crash
 * between two of a long truncate's transactions is finished at the next mount, and changes that free nothing never touch
 * the list.
 */
public final class Truncate {
    private final Engine engine;
    private final Volume volume;
    private final Tail tail;
    private final LargeFile largeFile;

    Truncate(Engine engine, Tail tail, LargeFile largeFile) {
        this.engine = engine;
        this.tail = tail;
        this.largeFile = largeFile;
        volume = engine.volume();
    }

    /** Refuses what no file can have, before anything is changed; a file's own map may reach less far. */
    void checkSize(long size) {
        if (size < 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        if (size > engine.map().maxSize()) {
            throw ErrnoException.of(Errno.EFBIG);
        }
    }

    /** Sets the size, which was checked. The write lock is held, no handle is open. */
    void setSize(Inode inode, long size) {
        if (size > engine.map().maxSize(inode)) {
            throw ErrnoException.of(Errno.EFBIG);
        }
        if (size > inode.size || size == inode.size && inode.sectors == 0) {
            grow(inode, size);
        } else {
            // to the same size too: there may be blocks behind it (FALLOC_FL_KEEP_SIZE)
            shrink(inode, size, HandleKind.TRUNCATE);
        }
    }

    private void grow(Inode inode, long size) {
        largeFile.ensure(size);
        if (size > inode.size) {
            tail.zero(inode, size);
        }
        try (Handle handle = volume.start(HandleKind.INODE, InodeStore.CREDITS, 0)) {
            inode.size = size;
            Times.modified(inode, volume.clock().nanos());
            engine.records().writeMapping(handle, inode);
        }
    }

    /** The rest of the last block is zeroed first: if the device can't, nothing has changed. */
    private void shrink(Inode inode, long size, HandleKind kind) {
        tail.zero(inode, size, Long.MAX_VALUE);
        int credits = engine.map().removeCredits(inode) + InodeStore.CREDITS;
        try (Handle handle = volume.startSpanning(kind, credits, 2)) {
            if (inode.nlink > 0) {
                handle.orphans().add(handle, inode.ino);
            }
            // After a failure it stays on the list: what lies behind its end is cut off by the next mount, or by fsck.
            Times.modified(inode, volume.clock().nanos());
            cut(handle, inode, size);
            remove(handle, inode);
        }
    }

    /** The new size first, then block after block: whatever the transactions, the rest can be freed at the next mount. */
    private void cut(Handle handle, Inode inode, long size) {
        inode.size = size;
        engine.records().writeMapping(handle, inode);
        long blocks = (size + volume.blockSize() - 1) >>> volume.superblock().blockBits();
        engine.map().remove(handle, inode, blocks, FileMap.END, 1);
    }

    /** One without links is on the list for another reason, and stays there until it is freed. */
    private void remove(Handle handle, Inode inode) {
        if (inode.nlink > 0) {
            engine.records().takeOffOrphanList(handle, inode.ino);
        }
    }

    /**
     * Finishes, at mount, a truncate that a crash interrupted: frees what lies behind i_size and takes the inode off the
     * list it stands on. The write lock is held.
     */
    public void recover(Inode inode) {
        if (engine.map().hasMap(inode)) {
            tail.zero(inode, inode.size, Long.MAX_VALUE);
        }
        int credits = engine.map().removeCredits(inode) + InodeStore.CREDITS;
        try (Handle handle = volume.startSpanning(HandleKind.RECOVERY, credits, 1)) {
            if (engine.map().hasMap(inode)) {
                cut(handle, inode, inode.size);
            }
            remove(handle, inode);
        }
    }
}
