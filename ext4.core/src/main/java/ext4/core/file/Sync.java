// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.format.superblock.SuperblockFields;

/** fsync(2), fdatasync(2), syncfs(2). */
public final class Sync {
    private final Engine engine;
    private final Volume volume;

    Sync(Engine engine) {
        this.engine = engine;
        volume = engine.volume();
    }

    /**
     * See {@link ext4.api.fs.FileSystem#fsync}. Contents are on the device when a write returns; what they need to be
     * found is committed if it is not durable yet; and the device is flushed in every case, since the last commit may
     * have flushed before the contents were written.
     */
    public void fsync(int ino, boolean dataOnly) {
        if (volume.journal() == null) {
            return;
        }
        Inode inode = engine.inodes().get(ino);
        long tid;
        try {
            inode.lock.readLock().lock();
            try {
                tid = dataOnly ? inode.datasyncTid : inode.syncTid;
            } finally {
                inode.lock.readLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
        // Looked up after the number: the journal that gave it out, or one after it, to which older ones are durable.
        Journal journal = current();
        if (tid > journal.durableTid()) {
            journal.commit(tid);
        }
        flush(journal);
    }

    /** See {@link ext4.api.fs.FileSystem#syncfs}. */
    public void syncfs() {
        if (volume.journal() == null) {
            return;
        }
        engine.evictor().await();
        current();
        writeTotals();
        Journal journal = current();
        journal.commitRunning();
        flush(journal);
    }

    /**
     * Flushes the device. One that failed to may have lost anything that it was given since it last succeeded, blocks written
     * back from the log too, and will not say so again: so nothing may be acknowledged any more, and the log must keep what it
     * has. The kernel leaves it at EIO here, once; the next fsync(2) succeeds there.
     */
    private void flush(Journal journal) {
        try {
            volume.device().flush();
        } catch (DeviceException e) {
            journal.abort(e);
            throw e;
        }
    }

    /** Nobody keeps the superblock's totals up to date in between; they are for people and tools. */
    private void writeTotals() {
        long blocks = engine.groups().freeBlocks();
        long inodes = engine.groups().freeInodes();
        boolean same = volume.superblockBuffer()
                .view((b, off) ->
                        SuperblockFields.freeBlocks(b, off) == blocks && SuperblockFields.freeInodes(b, off) == inodes);
        if (same && !volume.errors().unrecorded() || volume.readOnly()) {
            return;
        }
        try (Handle handle = volume.startIfPossible(HandleKind.SUPER, 1, 0)) {
            if (handle == null) {
                return; // the next journal, or the end of the mount, writes them
            }
            volume.superblockBuffer().edit(handle, (b, off) -> {
                SuperblockFields.setFreeBlocks(b, off, blocks);
                SuperblockFields.setFreeInodes(b, off, inodes);
                volume.errors().put(b, off);
            });
        }
    }

    private Journal current() {
        Journal journal = volume.journal();
        if (journal == null) {
            throw new DeviceException(volume.device().name() + ": is being unmounted");
        }
        if (journal.abortCause() != null) {
            throw ErrnoException.of(Errno.EROFS); // as the kernel, for whom nothing is to be made durable any more
        }
        return journal;
    }
}
