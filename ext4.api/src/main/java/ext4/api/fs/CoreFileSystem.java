// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** A filesystem brought to life by a core: the verbs, and what an operator does with it. */
@ProviderType
public interface CoreFileSystem extends FileSystem, AutoCloseable {
    /** Whether changes are refused: mounted so, or after an error with errors=remount-ro, or a journal abort. */
    boolean readOnly();

    /** Name of the orphan strategy at work. */
    String strategyName();

    /**
     * Replaces the orphan strategy behind the barrier: old list's closing, new one's attach, publish, old one's detach.
     * A throw before publish leaves the old one at work. One swap at a time; callers of verbs see a pause.
     */
    SwapReport swapOrphanStrategy(String name, OrphanStrategy strategy);

    /**
     * Puts the strategy's service out of use without a successor: closes the list behind the barrier and keeps the
     * orphans in the core's own memory. Until {@link #swapOrphanStrategy} verbs that need a list must not be called (the
     * gate of the mount holds them); one that is called nevertheless fails with EIO. {@link #close} works: it takes off
     * the list what it frees.
     */
    SwapReport detachOrphanStrategy();

    /**
     * Replaces the journal behind the barrier by one of the same kind: the old one commits and checkpoints until its log is
     * empty, and closes; the new one opens at the sequence that is recorded. Most of it is done before, with callers at
     * work. One replacement at a time; it waits for nothing but the device and for handles that are open.
     *
     * <p>If {@code to} refuses, throws or gives back nothing, {@code from} opens again and is at work when this throws. If
     * the old journal can't be emptied it goes on, unless the device failed: then it aborts as at any commit.
     *
     * @param from the provider whose journal is at work, or null after {@link #detachJournal}; no provider is kept
     * @param to the provider of the new one
     * @return the orphans on the list, the time in which no handle could start, and what the journals wrote in it
     * @throws UnsupportedOperationException if {@code to} is of the other kind: a mounted filesystem is never switched
     *     between journal and no journal
     * @throws DeviceException if the journal at work has aborted, or does so now
     */
    default HandOver swapJournal(JournalProvider from, JournalProvider to) {
        throw new UnsupportedOperationException("this core does not replace its journal while it is mounted");
    }

    /**
     * Puts the journal's service out of use without a successor: its log is empty and closed, and evictions wait. Until
     * {@link #swapJournal} verbs that need a journal must not be called nor be running (the gate of the mount holds them);
     * one that is called nevertheless waits for nothing and fails with EIO. Reads go on and leave access times alone, fsync
     * and syncfs return, since all is durable. {@link #close} works: the image is clean but for orphans that nobody freed.
     * Does nothing if no journal is at work.
     */
    default HandOver detachJournal() {
        throw new UnsupportedOperationException("this core does not replace its journal while it is mounted");
    }

    /**
     * Does, with verbs running, most of what {@link #freeze} would have to do while they wait: commits and checkpoints.
     * Nothing else changes, and no freeze needs to follow.
     *
     * @throws DeviceException if the journal aborted, or does so now
     */
    default void prepareFreeze() {}

    /**
     * Brings everything to the device, closes the journal with its log empty, detaches the orphan list and touches the
     * device no more: the image is that of a mounted filesystem, as a crash after a commit would leave it, with its orphans
     * listed. No verb runs meanwhile or afterwards, but {@link #thaw} or {@link #close}, which then writes nothing. All
     * threads of this core have ended when it returns.
     *
     * <p>An eviction that runs is finished; what waits for eviction is left to the successor.
     *
     * <p>A throw leaves it at work: as it was, or, if the device failed in the commit, read-only with its journal aborted, as
     * such a failure does at any time.
     *
     * @return the pins, for {@link CoreProvider#adopt}
     * @throws DeviceException if the device fails, or the journal has aborted before: then only an unmount and a check help
     */
    default PinnedInodes freeze() {
        throw new UnsupportedOperationException("this core can't be replaced while it is mounted");
    }

    /**
     * Goes on after {@link #freeze}, as nobody else did: on the device there is nothing but what a refused
     * {@link CoreProvider#adopt} may have left there. A throw leaves it frozen, so that it can be called again, with other
     * services too.
     *
     * @param journal of the same kind as before; not used if the filesystem was never writable
     * @throws DeviceException if the device fails, or the image is not the one that was frozen
     */
    default void thaw(JournalProvider journal, String strategyName, OrphanStrategy strategy) {
        throw new UnsupportedOperationException("this core can't be replaced while it is mounted");
    }

    /** The orphans now, and where each stands on disk. It takes the barrier: callers of verbs see a pause. */
    List<OrphanPlace> orphans();

    /**
     * From read-write to read-only, as a remount of the kernel's: what is on the device afterwards is what an unmount
     * would leave. Does nothing if it is read-only. The caller sees to it that no verb runs meanwhile.
     *
     * @throws ErrnoException EBUSY if an unlinked inode is still pinned; nothing has changed then
     * @throws DeviceException if not everything could be written: it is read-only, and not clean
     */
    void remountReadOnly();

    /**
     * From read-only to read-write. Does nothing if it is read-write. The caller sees to it that no verb runs meanwhile.
     * The services are used only if the filesystem has been read-only since it was mounted; else it goes on with those
     * that it had.
     *
     * @throws UnsupportedFeatureException naming the features with which it can't be written
     * @throws CorruptException if the superblock records errors, or orphans that a mount must process
     * @throws DeviceException if the device is read-only, the journal aborted, it was mounted without its journal, or the
     *     superblock is not the one that was mounted
     */
    void remountReadWrite(JournalProvider journal, String strategyName, OrphanStrategy strategy);

    /** State for people, by name in a stable order: features, strategy, orphans, journal state, counters. */
    Map<String, String> status();

    /** Waits until every unlinked inode without pins is freed. */
    void awaitEvictions();

    /**
     * Unmounts: waits for evictions, processes what is left of pins (an unlinked inode still pinned is freed), commits,
     * checkpoints, marks the superblock clean, flushes. The device stays open. Idempotent.
     */
    @Override
    void close();
}
