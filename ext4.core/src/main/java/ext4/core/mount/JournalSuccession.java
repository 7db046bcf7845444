// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.DeviceException;
import ext4.api.fs.HandOver;
import ext4.api.fs.MountOptions;
import ext4.api.journal.Barrier;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.core.inode.StripedEvictor;
import ext4.core.orphan.OrphanKeeper;
import ext4.core.volume.DetachedJournal;
import ext4.core.volume.Volume;
import ext4.format.superblock.Feature;

/**
 * Opens journals, replaces the one at work while callers go on, and puts it out of use. A replacement writes most of what
 * is to be written before the barrier is raised; behind it the old journal commits and checkpoints the rest and closes,
 * and the next one opens the empty log. What an orphan list has put off is part of the old one's last commit, and the same
 * list goes on under the next.
 *
 * <p>Who waited to start a handle, or to restart one, goes on with the next ({@link Volume#start}). Transaction numbers go
 * on too, so that what an inode noted of its last change keeps its meaning. No provider is kept.
 */
final class JournalSuccession {
    private static final int DEFAULT_COMMIT_SECONDS = 5;
    /** Part of the heap for block versions that wait in the journal. */
    private static final int JOURNAL_SHARE = 8;
    /** Times that all is written back with callers at work; what comes meanwhile is less each time. */
    private static final int ROUNDS = 2;

    private final Volume volume;
    private final CoreJournalHost host;
    private final StripedEvictor evictor;

    JournalSuccession(Volume volume, CoreJournalHost host, StripedEvictor evictor) {
        this.volume = volume;
        this.host = host;
        this.evictor = evictor;
    }

    /** Opens the first journal. */
    Journal open(JournalProvider provider) {
        Journal journal = provider.open(host, options());
        if (journal == null) {
            throw new IllegalStateException(name() + ": the journal provider opened nothing");
        }
        if (journal.journals() != provider.journals() || journal.runningTid() <= host.newestTid()) {
            IllegalStateException refusal = new IllegalStateException(name() + ": a journal that journals: "
                    + journal.journals() + ", with transaction " + journal.runningTid() + ", wanted: "
                    + provider.journals() + ", above " + host.newestTid());
            closeAfter(refusal, journal);
            throw refusal;
        }
        return journal;
    }

    /** Closes the journal at work; the numbers of one that is opened later go on behind its. */
    void close(Journal journal) {
        journal.close();
        host.newestTid(journal.runningTid());
    }

    /** What journals have written, in bytes. */
    long bytesWritten() {
        return host.bytesWritten();
    }

    /** See {@link ext4.api.fs.CoreFileSystem#swapJournal}. Called by one thread at a time; {@code keeper} has the list. */
    HandOver swap(OrphanKeeper keeper, JournalProvider from, JournalProvider to) {
        Journal old = volume.journal();
        boolean detached = volume.journalDetached();
        if (from == null && !detached) {
            throw new IllegalArgumentException(name() + ": the provider of the journal at work is not given");
        }
        checkNotAborted(old);
        if (!detached) {
            return replace(keeper, old, from, to);
        }
        evictor.start();
        boolean done = false;
        try {
            HandOver report = replace(keeper, old, null, to);
            done = true;
            return report;
        } finally {
            if (done) {
                evictor.go();
            } else {
                evictor.pause();
            }
        }
    }

    /** @param from null if nobody was at work before */
    private HandOver replace(OrphanKeeper keeper, Journal old, JournalProvider from, JournalProvider to) {
        return keeper.whileListStays(() -> {
            settle(old);
            return behindBarrier(keeper, old, () -> {
                close(old);
                checkNotAborted(old);
                succeed(keeper, old, from, to);
            });
        });
    }

    /**
     * See {@link ext4.api.fs.CoreFileSystem#detachJournal}. The log is empty and closed then, the superblock marked as
     * mounted. A journal that aborts leaves its log for recovery, and is out of use too.
     */
    HandOver detach(OrphanKeeper keeper) {
        if (volume.journalDetached()) {
            return new HandOver(keeper.list().size(), 0, 0);
        }
        Journal old = volume.journal();
        evictor.pause();
        boolean done = false;
        try {
            HandOver report = keeper.whileListStays(() -> {
                if (old.abortCause() == null) {
                    settle(old);
                }
                return behindBarrier(keeper, old, () -> closeAndStandIn(keeper, old));
            });
            done = true;
            return report;
        } finally {
            if (!done && !volume.journalDetached()) {
                evictor.start();
                evictor.go();
            }
        }
    }

    /** A throw without an abort left it at work. */
    private void closeAndStandIn(OrphanKeeper keeper, Journal old) {
        boolean closed = false;
        try {
            close(old);
            closed = true;
        } finally {
            if (closed || old.abortCause() != null) {
                standIn(keeper, old, old.abortCause());
            }
        }
    }

    private void standIn(OrphanKeeper keeper, Journal old, Throwable abortCause) {
        publish(keeper, new DetachedJournal(old.journals(), old.runningTid(), keeper.list(), abortCause));
    }

    /** Refuses a provider of the other kind. */
    void checkKind(JournalProvider to) {
        if (to.journals() != volume.superblock().has(Feature.HAS_JOURNAL)) {
            throw new UnsupportedOperationException(
                    name() + ": a mounted filesystem is never switched between journal and no journal");
        }
    }

    private void checkNotAborted(Journal journal) {
        if (journal.abortCause() != null) {
            throw new DeviceException(name() + ": the journal aborted; unmount it and run fsck", journal.abortCause());
        }
    }

    private static void settle(Journal journal) {
        for (int i = 0; i < ROUNDS; i++) {
            journal.commitRunning();
            journal.checkpoint();
        }
    }

    private HandOver behindBarrier(OrphanKeeper keeper, Journal old, Runnable replacement) {
        long begin = System.nanoTime(); // the wait for open handles is part of the pause: nobody may start meanwhile
        long written = host.bytesWritten();
        volume.replacingJournal(true);
        try (Barrier barrier = old.lockUpdates()) {
            replacement.run();
        } finally {
            volume.replacingJournal(false);
        }
        long micros = (System.nanoTime() - begin) / 1000;
        return new HandOver(keeper.list().size(), micros, host.bytesWritten() - written);
    }

    /** The old journal is closed, its log empty. */
    private void succeed(OrphanKeeper keeper, Journal old, JournalProvider from, JournalProvider to) {
        try {
            publish(keeper, openFor(keeper, to));
        } catch (RuntimeException | Error failure) {
            if (from != null) {
                goOnWith(keeper, old, from, failure);
            }
            throw failure;
        }
    }

    private void goOnWith(OrphanKeeper keeper, Journal old, JournalProvider from, Throwable failure) {
        try {
            publish(keeper, openFor(keeper, from));
        } catch (RuntimeException | Error worse) {
            failure.addSuppressed(worse);
            standIn(keeper, old, worse);
            volume.errors().journalAborted(worse);
        }
    }

    /** A journal that has the list. */
    private Journal openFor(OrphanKeeper keeper, JournalProvider provider) {
        Journal journal = open(provider);
        try {
            journal.orphans(keeper.list());
            return journal;
        } catch (RuntimeException | Error failure) {
            closeAfter(failure, journal);
            throw failure;
        }
    }

    private static void closeAfter(Throwable failure, Journal journal) {
        try {
            journal.close();
        } catch (RuntimeException | Error more) {
            failure.addSuppressed(more);
        }
    }

    private void publish(OrphanKeeper keeper, Journal next) {
        keeper.journal(next);
        volume.journal(next);
        Throwable stopped = volume.errors().stopped();
        if (stopped != null) {
            next.abort(stopped); // the error policy may have told the old one only
        }
    }

    private JournalOptions options() {
        MountOptions options = volume.options();
        int seconds = options.commitSeconds() == 0 ? DEFAULT_COMMIT_SECONDS : options.commitSeconds();
        long budget = Runtime.getRuntime().maxMemory() / JOURNAL_SHARE;
        return new JournalOptions(seconds * 1000L, options.barrier(), budget);
    }

    private String name() {
        return volume.device().name();
    }
}
