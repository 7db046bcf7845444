// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import java.util.Map;

/** Where locked transactions go: into a log, or to their places at once. */
public interface CommitSink {
    /** Whether there is a log. */
    boolean journals();

    /** Blocks that one transaction may hold. */
    int transactionSize();

    /** Number that the first transaction has in the log; the journal counts on from a greater one if its host has seen more. */
    long firstTid();

    /** What this sink tells its journal; called once before anything else. */
    void attach(Owner owner);

    /** Whether new credits may be granted now: log space and memory suffice. Volatile read. */
    boolean admits();

    /** Asks for log space and memory; does not wait. */
    void relieve();

    /** Makes the transaction durable. By the commit thread, holding no lock; the transaction is not empty. */
    void commit(FrozenTransaction transaction);

    /** Writes all durable versions to their places and empties the log of them. */
    void checkpoint();

    /** Records the reason of an abort where the next mount finds it, if that is possible. */
    void recordError(int errno);

    /**
     * Ends the sink: joins its threads. After an abort all versions are abandoned, else {@link #checkpoint} came before.
     *
     * @param aborted whether the log is left for recovery
     */
    void close(boolean aborted);

    /** Adds counters. */
    void count(Map<String, Long> counters);

    /** The journal that a sink works for. */
    interface Owner {
        /** {@link CommitSink#admits} may have become true. */
        void roomChanged();

        /** Writing failed. */
        void failed(Throwable cause);

        /** Whether the journal aborted: nothing may be written. */
        boolean aborted();
    }
}
