// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import ext4.api.block.BlockDevice;
import org.osgi.annotation.versioning.ProviderType;

/** What a filesystem gives its journal: where the log lies, and whom to tell. */
@ProviderType
public interface JournalHost {
    /** The device with the filesystem; the log is inside it. */
    BlockDevice device();

    /** Filesystem and log block size in bytes. */
    int blockSize();

    /** Filesystem size in blocks: no tag or revoke record may name a block at or past it. */
    long blocksCount();

    /** Length of the journal file in blocks; 0 without a journal. */
    int logLength();

    /**
     * Physical block of block {@code lblk} of the journal file.
     *
     * @throws ext4.api.fs.CorruptException if the journal inode has a hole there
     */
    long logBlock(int lblk);

    /** Whether block numbers need 64 bit (feature 64bit). */
    boolean wideBlockNumbers();

    /** Whether the log is to carry checksums (feature metadata_csum). */
    boolean metadataChecksums();

    /**
     * The newest transaction number that this filesystem has seen while it is mounted, 0 if none. The transactions of a
     * journal that is opened have greater ones, whatever the sequence numbers of its log: so a number means one transaction
     * although the journal was replaced.
     */
    default long newestTid() {
        return 0;
    }

    /**
     * The transaction is locked: its handles are closed and none of the next is open. The host brings blocks that are
     * already part of the transaction into their final form (deferred checksums) and must neither wait for the device
     * nor take inode locks. Called after {@link ext4.api.orphan.OrphanList#closing}, on the same thread, with the same
     * handle. A throw aborts the journal.
     */
    void closing(Handle handle);

    /** Transaction {@code tid} and all before it are durable. Called in order, by the commit thread, before waiters. */
    void committed(long tid);

    /** The journal aborted: nothing is written any more. Called once, holding no lock of the journal. */
    void aborted(Throwable cause);
}
