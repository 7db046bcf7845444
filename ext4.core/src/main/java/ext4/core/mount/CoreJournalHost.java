// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalHost;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.PendingRelease;
import ext4.core.volume.ErrorPolicy;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** What the journal sees of the filesystem, first for recovery, then, once {@link #attach}ed, for transactions. */
final class CoreJournalHost implements JournalHost {
    private final CountingDevice device;
    private final Superblock sb;
    private final JournalFile file;
    private GroupTable groups;
    private PendingRelease pending;
    private ErrorPolicy errors;

    /** Written while no journal is open. */
    private volatile long newestTid;

    /** @param file where the log lies, null without a journal */
    CoreJournalHost(BlockDevice device, Superblock sb, JournalFile file) {
        this.device = new CountingDevice(device);
        this.sb = sb;
        this.file = file;
    }

    /** Before a journal is opened: whom to tell. */
    void attach(GroupTable groupTable, PendingRelease pendingRelease, ErrorPolicy errorPolicy) {
        groups = groupTable;
        pending = pendingRelease;
        errors = errorPolicy;
    }

    /** A journal is closed that gave out transaction numbers up to this one. */
    void newestTid(long tid) {
        newestTid = tid;
    }

    @Override
    public long newestTid() {
        return newestTid;
    }

    /** Bytes that journals wrote so far. */
    long bytesWritten() {
        return device.bytesWritten();
    }

    @Override
    public BlockDevice device() {
        return device;
    }

    @Override
    public int blockSize() {
        return sb.blockSize();
    }

    @Override
    public long blocksCount() {
        return sb.blocksCount();
    }

    @Override
    public int logLength() {
        return file == null ? 0 : file.length();
    }

    @Override
    public long logBlock(int lblk) {
        if (file == null) {
            throw new CorruptException("journal", -1, "s_journal_inum", "no journal", "one, to read block " + lblk);
        }
        return file.block(lblk);
    }

    @Override
    public boolean wideBlockNumbers() {
        return sb.has(Feature.BIT64);
    }

    @Override
    public boolean metadataChecksums() {
        return sb.metadataCsum();
    }

    @Override
    public void closing(Handle handle) {
        groups.closing(handle);
    }

    @Override
    public void committed(long tid) {
        pending.committed(tid);
    }

    @Override
    public void aborted(Throwable cause) {
        errors.journalAborted(cause);
    }
}
