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
     * @throws JournalClosedException after {@link #close}, also for who waited: nothing was begun. Who waits when it is
     *     closed behind the barrier hears of it when the barrier is gone
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
     * Returns when transaction {@code tid} is durable, committing it if it still runs. At once if it already is, which on a
     * journal that was closed without an abort is so for every transaction; who waits when it is closed returns then.
     *
     * @throws ext4.api.fs.DeviceException if the journal aborted before it was durable
     */
    void commit(long tid);

    /** Commits the running transaction, if it has anything to write, and waits for it. At once on a closed journal. */
    void commitRunning();

    /**
     * Writes every durable version to its place, flushes, and empties the log of it. Nothing on a closed journal. A throw
     * that is no abort has lost nothing: it may be called again.
     */
    void checkpoint();

    /**
     * Waits until no handle is open and keeps new ones waiting.
     *
     * @throws JournalClosedException after {@link #close}
     */
    Barrier lockUpdates();

    /**
     * Stops all writing: the filesystem is in the state of the last durable transaction. Idempotent. Does nothing to a
     * closed journal, whose log may be another's.
     */
    void abort(Throwable cause);

    /** Why the journal aborted, or null. */
    Throwable abortCause();

    /** Counters by name, in a stable order: transactions, blocks, revokes, waits ... */
    Map<String, Long> counters();

    /**
     * Commits, checkpoints, leaves an empty log with the next sequence recorded, and joins the journal's threads. After
     * an abort it writes nothing and leaves the log for recovery. Idempotent.
     *
     * <p>Handles are kept out meanwhile: by the barrier, if the calling thread holds it (with its handle closed, since a
     * transaction with an open handle can't commit), else by one that this raises itself. So a journal is handed over by
     * {@link #lockUpdates}, close, opening the successor, and closing the barrier, which wakes who waited to start.
     *
     * <p>Afterwards the journal holds nothing: {@link MetaBlock#journalState} of every block is null and pins are given
     * back. {@link JournalHost#committed} has been called for the last transaction.
     *
     * <p>A throw without an abort leaves the journal open and at work, having lost nothing. A throw with one, and a call
     * after an abort, leave it closed.
     */
    @Override
    void close();
}
