// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;
import java.util.Map;
import java.util.Random;

/**
 * A journal whose handles refuse to be extended every now and then and whose restarts end the transaction, so that work
 * which may span transactions does, on images far too small to make it.
 */
final class RestlessJournal implements JournalProvider {
    private final JournalProvider inner;
    private final Random random;
    private int restarts;
    private int crossings;

    RestlessJournal(JournalProvider inner, long seed) {
        this.inner = inner;
        random = new Random(seed);
    }

    synchronized int restarts() {
        return restarts;
    }

    /** Restarts that found the journal closed: their work went on under another one. */
    synchronized int crossings() {
        return crossings;
    }

    private synchronized boolean refuse() {
        return random.nextInt(3) == 0;
    }

    private synchronized void restarted() {
        restarts++;
    }

    private synchronized void crossed() {
        crossings++;
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
    public Journal open(JournalHost host, JournalOptions options) {
        return new Restless(inner.open(host, options));
    }

    private final class Restless implements Journal {
        private final Journal journal;

        Restless(Journal journal) {
            this.journal = journal;
        }

        @Override
        public Handle start(HandleKind kind, int credits, int orphanChanges) {
            return new RestlessHandle(journal, journal.start(kind, credits, orphanChanges), kind);
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
    }

    private final class RestlessHandle implements Handle {
        private final Journal journal;
        private final HandleKind kind;
        private Handle handle;

        RestlessHandle(Journal journal, Handle handle, HandleKind kind) {
            this.journal = journal;
            this.handle = handle;
            this.kind = kind;
        }

        @Override
        public boolean extend(int credits) {
            return !refuse() && handle.extend(credits);
        }

        @Override
        public void restart(int credits, int orphanChanges) {
            long tid = handle.tid();
            handle.close();
            journal.commit(tid);
            restarted();
            try {
                handle = journal.start(kind, credits, orphanChanges);
            } catch (JournalClosedException e) {
                crossed();
                throw e;
            }
        }

        @Override
        public long tid() {
            return handle.tid();
        }

        @Override
        public OrphanList orphans() {
            return handle.orphans();
        }

        @Override
        public byte[] write(MetaBlock block) {
            return handle.write(block);
        }

        @Override
        public void forget(long pblk, MetaBlock block) {
            handle.forget(pblk, block);
        }

        @Override
        public void reserveForClosing(int credits) {
            handle.reserveForClosing(credits);
        }

        /** Blocks that are part of the transaction already cost nothing, so an honest sum hardly ever runs out. */
        @Override
        public int credits() {
            return refuse() ? 0 : handle.credits();
        }

        @Override
        public void close() {
            handle.close();
        }
    }
}
