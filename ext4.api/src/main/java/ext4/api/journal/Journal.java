// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import ext4.api.orphan.OrphanList;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Groups changes of metadata blocks into transactions. One transaction runs, at most one commits.
 *
 * <p>Locks: {@link #start} is called with inode locks held or none, and never with a handle open in the same thread.
 */
@ProviderType
public interface Journal extends AutoCloseable {
    /** Whether there is a log: false for the provider {@code none}, whose transactions are written in place. */
    boolean journals();

    /** Sets the orphan list before the first {@link #start}; later changes go through {@link Barrier#publish}. */
    void orphans(OrphanList first);

    /**
     * Joins the running transaction. Waits, uncounted, for the barrier and for log space.
     *
     * @param credits blocks the caller will {@link Handle#write}; the cost of orphanChanges is added here
     * @param orphanChanges adds and removes that the caller may make, see {@link OrphanList#credits}
     * @throws ext4.api.fs.ErrnoException EROFS after an abort
     * @throws JournalClosedException after {@link #close}, also for who waited: nothing was begun
     * @throws IllegalStateException if the calling thread has a handle of this journal open
     */
    Handle start(HandleKind kind, int credits, int orphanChanges);

    /** The largest sum of credits that {@link #start} and {@link Handle#extend} can grant one handle. */
    int maxCredits();

    /** The transaction that handles join now. */
    long runningTid();

    /** The newest transaction that is durable. */
    long durableTid();

    /**
     * Returns when transaction {@code tid} is durable, committing it if it still runs. At once if it already is.
     *
     * @throws ext4.api.fs.DeviceException if the journal aborted before it was durable
     */
    void commit(long tid);

    /** Commits the running transaction, if it has anything to write, and waits for it. */
    void commitRunning();

    /** Writes every durable version to its place, flushes, and empties the log of it. */
    void checkpoint();

    /** Waits until no handle is open and keeps new ones waiting. */
    Barrier lockUpdates();

    /** Stops all writing: the filesystem is in the state of the last durable transaction. Idempotent. */
    void abort(Throwable cause);

    /** Why the journal aborted, or null. */
    Throwable abortCause();

    /** Counters by name, in a stable order: transactions, blocks, revokes, waits ... */
    Map<String, Long> counters();

    /**
     * Commits, checkpoints, leaves an empty log with the next sequence recorded, and joins the journal's threads. After
     * an abort it writes nothing and leaves the log for recovery.
     */
    @Override
    void close();
}
