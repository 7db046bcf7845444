// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;
import java.util.Map;

/**
 * Stands where the journal was while none is at work: everything is durable and nothing can be begun. Its barrier's handle
 * changes nothing, which is enough to replace an orphan list that has put nothing off.
 */
public final class DetachedJournal implements Journal {
    private final boolean journals;
    private final long tid;
    private volatile OrphanList orphans;
    private volatile Throwable abortCause;

    /**
     * Stands in for a closed journal.
     *
     * @param tid the newest transaction number that it gave out
     * @param orphans the list at work
     * @param abortCause why it aborted, or null
     */
    public DetachedJournal(boolean journals, long tid, OrphanList orphans, Throwable abortCause) {
        this.journals = journals;
        this.tid = tid;
        this.orphans = orphans;
        this.abortCause = abortCause;
    }

    @Override
    public boolean journals() {
        return journals;
    }

    @Override
    public void orphans(OrphanList first) {
        orphans = first;
    }

    @Override
    public Handle start(HandleKind kind, int credits, int orphanChanges) {
        throw refusal();
    }

    private ErrnoException refusal() {
        return ErrnoException.of(abortCause == null ? Errno.EIO : Errno.EROFS);
    }

    @Override
    public int maxCredits() {
        return 0;
    }

    @Override
    public long runningTid() {
        return tid;
    }

    @Override
    public long durableTid() {
        return tid;
    }

    @Override
    public void commit(long which) {
        // all is durable
    }

    @Override
    public void commitRunning() {
        // all is durable
    }

    @Override
    public void checkpoint() {
        // the log is empty
    }

    @Override
    public Barrier lockUpdates() {
        return new NoUpdates();
    }

    @Override
    public synchronized void abort(Throwable cause) {
        if (abortCause == null) {
            abortCause = cause;
        }
    }

    @Override
    public Throwable abortCause() {
        return abortCause;
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public void close() {
        // it is
    }

    /** Who replaces parts takes turns by locks of the core, so there is nobody to keep out. */
    private final class NoUpdates implements Barrier {
        private final Handle handle = new NoHandle();

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void publish(OrphanList list) {
            orphans = list;
        }

        @Override
        public void close() {
            // nobody waits
        }
    }

    /** A handle without credits. */
    private final class NoHandle implements Handle {
        @Override
        public long tid() {
            return tid;
        }

        @Override
        public OrphanList orphans() {
            return orphans;
        }

        @Override
        public byte[] write(MetaBlock block) {
            throw refusal();
        }

        @Override
        public void forget(long pblk, MetaBlock block) {
            throw refusal();
        }

        @Override
        public void reserveForClosing(int credits) {
            throw refusal();
        }

        @Override
        public int credits() {
            return 0;
        }

        @Override
        public boolean extend(int credits) {
            return false;
        }

        @Override
        public void restart(int credits, int orphanChanges) {
            throw refusal();
        }

        @Override
        public void close() {
            // was never open
        }
    }
}
