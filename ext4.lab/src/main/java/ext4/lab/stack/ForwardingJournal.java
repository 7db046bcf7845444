// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.orphan.OrphanList;
import java.util.Map;

/** A journal that does what another does, for those that change one thing of it. */
public class ForwardingJournal implements Journal {
    /** The one that works. */
    protected final Journal journal;

    /** Does what {@code journal} does. */
    protected ForwardingJournal(Journal journal) {
        this.journal = journal;
    }

    @Override
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        return journal.start(kind, credits, orphanChanges);
    }

    @Override
    public boolean journals() {
        return journal.journals();
    }

    @Override
    public void orphans(OrphanList first) {
        journal.orphans(first);
    }

    @Override
    public int maxCredits() {
        return journal.maxCredits();
    }

    @Override
    public long runningTid() {
        return journal.runningTid();
    }

    @Override
    public long durableTid() {
        return journal.durableTid();
    }

    @Override
    public void commit(long tid) {
        journal.commit(tid);
    }

    @Override
    public void commitRunning() {
        journal.commitRunning();
    }

    @Override
    public void checkpoint() {
        journal.checkpoint();
    }

    @Override
    public Barrier lockUpdates() {
        return journal.lockUpdates();
    }

    @Override
    public void abort(Throwable cause) {
        journal.abort(cause);
    }

    @Override
    public Throwable abortCause() {
        return journal.abortCause();
    }

    @Override
    public Map<String, Long> counters() {
        return journal.counters();
    }

    @Override
    public void close() {
        journal.close();
    }

    /** A provider that does what another does; who extends it opens a journal of its own over the other's. */
    public abstract static class Provider implements JournalProvider {
        /** The one that works. */
        protected final JournalProvider inner;

        /** Does what {@code inner} does. */
        protected Provider(JournalProvider inner) {
            this.inner = inner;
        }

        @Override
        public boolean journals() {
            return inner.journals();
        }

        @Override
        public JournalRecovery recover(JournalHost host) {
            return inner.recover(host);
        }

        @Override
        public abstract Journal open(JournalHost host, JournalOptions options);
    }
}
