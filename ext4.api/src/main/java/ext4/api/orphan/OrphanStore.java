// SPDX-License-Identifier: Apache-2.0
package ext4.api.orphan;

import ext4.api.journal.Handle;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The places on disk where orphans are recorded, as the core hands them to a strategy. Thread-safe field by field; the
 * lock it takes (the record lock of an inode, or a block's own) is the innermost of all.
 *
 * <p>Each write costs one credit for a block that the transaction does not hold yet.
 */
@ProviderType
public interface OrphanStore {
    /** False without a journal: then a list keeps its members in memory and writes nothing. */
    boolean persistent();

    /** s_inodes_count, unsigned. */
    int inodesCount();

    /** s_last_orphan: the first member of the chain, 0 for none. */
    int chainHead();

    /** Sets s_last_orphan. */
    void chainHead(Handle handle, int ino);

    /** The link in the record of {@code ino}: the next member of the chain, 0 at its end. */
    int link(int ino);

    /** Sets the link in the record of {@code ino}; needs the record's block pinned by {@link #pin}. */
    void link(Handle handle, int ino, int next);

    /** Keeps the inode-table block of {@code ino} in memory so that {@link #link} never waits for the device; counted. */
    void pin(int ino);

    /** Undoes one {@link #pin}. */
    void unpin(int ino);

    /** Blocks of the orphan file, 0 if the filesystem has none. They stay in memory for the whole mount. */
    int fileBlocks();

    /** Slots in each block of the orphan file. */
    int slotsPerBlock();

    /** The inode number in a slot, 0 for a free one. */
    int slot(int block, int index);

    /** Sets a slot; 0 frees it. */
    void slot(Handle handle, int block, int index, int ino);
}
