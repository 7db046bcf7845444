// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.MetaBlock;
import java.util.Random;

/**
 * A journal whose handles refuse to be extended every now and then and whose restarts end the transaction, so that work
 * which may span transactions does, on images far too small to make it.
 */
public final class RestlessJournal extends ForwardingJournal.Provider {
    private final Random random;
    private int restarts;
    private int crossings;

    /** Journals of {@code inner}, made restless. */
    public RestlessJournal(JournalProvider inner, long seed) {
        super(inner);
        random = new Random(seed);
    }

    /** Restarts that ended a transaction. */
    public synchronized int restarts() {
        return restarts;
    }

    /** Restarts that found the journal closed: their work went on under another one. */
    public synchronized int crossings() {
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
    public Journal open(JournalHost host, JournalOptions options) {
        return new Restless(inner.open(host, options));
    }

    private final class Restless extends ForwardingJournal {
        Restless(Journal journal) {
            super(journal);
        }

        @Override
        public Handle start(HandleKind kind, int credits, int orphanChanges) {
            return new RestlessHandle(journal, journal.start(kind, credits, orphanChanges), kind);
        }
    }

    private final class RestlessHandle extends ForwardingHandle {
        private final Journal journal;
        private final HandleKind kind;

        RestlessHandle(Journal journal, Handle handle, HandleKind kind) {
            super(handle);
            this.journal = journal;
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
        public byte[] writeJoined(MetaBlock block) {
            return null; // the longer way is to be gone too
        }

        /** Blocks that are part of the transaction already cost nothing, so an honest sum hardly ever runs out. */
        @Override
        public int credits() {
            return refuse() ? 0 : handle.credits();
        }
    }
}
