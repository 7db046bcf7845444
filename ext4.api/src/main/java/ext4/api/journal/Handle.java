// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import ext4.api.orphan.OrphanList;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A part of one transaction: what is changed under one handle reaches the disk together or not at all, with everything
 * else of its transaction. Used by the thread that started it and by no other. Does not nest.
 */
@ProviderType
public interface Handle extends AutoCloseable {
    /** The transaction this handle belongs to; changes at {@link #restart}. */
    long tid();

    /** The orphan list in force; valid until {@link #close} or {@link #restart}, never to be kept across one. */
    OrphanList orphans();

    /**
     * Makes {@code block} part of this transaction and returns the array to modify (its current version after copy on
     * write). Costs one credit at the block's first use in the transaction. Cancels a revoke of the block that the
     * running transaction holds.
     *
     * @throws IllegalStateException if the handle has no credit left: a mistake in the caller's sum
     */
    byte[] write(MetaBlock block);

    /**
     * As {@link #write} for a block that is part of this transaction already, without a credit, a lock or a pin of the
     * caller's: the journal holds what is part of its running transaction, so the version stays what it is while this handle
     * is open.
     *
     * @return null if it is no part of it, or if the journal cannot tell: then pin the block and call {@link #write}
     */
    default byte[] writeJoined(MetaBlock block) {
        return null;
    }

    /**
     * A metadata block was freed under this handle: it is taken out of this transaction, will not be checkpointed, and a
     * revoke record is written if an older copy may stand in the log. The block must not be allocated again before this
     * transaction is durable ({@link JournalHost#committed}).
     *
     * @param block the block in memory, or null if the cache does not hold it
     */
    void forget(long pblk, MetaBlock block);

    /** Moves {@code credits} of this handle to the sum kept for {@link OrphanList#closing}. */
    void reserveForClosing(int credits);

    /** Credits left. */
    int credits();

    /** Adds credits without waiting; false if the transaction has no room, in which case {@link #restart} helps. */
    boolean extend(int credits);

    /**
     * Ends this part and joins the running transaction anew, possibly a later one, possibly after waiting for log space.
     * Before it the extent tree, i_size, i_blocks and bitmaps must agree. The caller holds inode locks only.
     *
     * @throws JournalClosedException as {@link Journal#start}: the part is ended, the handle is closed, and the caller
     *     goes on with one of the successor
     */
    void restart(int credits, int orphanChanges);

    /** Ends the handle; unused credits go back. Never throws, also after an abort. */
    @Override
    void close();
}
