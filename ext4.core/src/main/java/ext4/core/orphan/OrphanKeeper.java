// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.SwapReport;
import ext4.api.journal.Barrier;
import ext4.api.journal.Journal;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import java.util.function.Supplier;

/**
 * Which orphan list is at work, and its replacement while the filesystem is in use. Behind the barrier nobody is inside
 * the old list, so nothing on the path of an add or a remove exists for the sake of this. The barrier's handle is open
 * from the first to the last step: at every commit each orphan stands in exactly one place.
 */
public final class OrphanKeeper {
    /** Name while no strategy is at work. */
    public static final String NONE = "none";

    private final OrphanStore store;
    private Journal journal; // guarded by this
    private volatile OrphanList list;
    private volatile String name;

    /** Attaches the first strategy, before any handle was started. */
    public OrphanKeeper(
            OrphanStore store, Journal journal, String name, OrphanStrategy strategy, List<OrphanPlace> present) {
        this.store = store;
        this.journal = journal;
        this.name = name;
        list = strategy.attach(store, present);
        journal.orphans(list);
    }

    /** Name of the strategy at work, {@link #NONE} without one. */
    public String name() {
        return name;
    }

    /** The list at work; for counters only. */
    public OrphanList list() {
        return list;
    }

    /** See {@link ext4.api.fs.CoreFileSystem#swapOrphanStrategy}. */
    public synchronized SwapReport swap(String newName, OrphanStrategy strategy) {
        return replace(newName, present -> strategy.attach(store, present));
    }

    /** See {@link ext4.api.fs.CoreFileSystem#detachOrphanStrategy}. */
    public synchronized SwapReport detach() {
        return replace(NONE, present -> new DetachedOrphans(store, present));
    }

    /** Runs a replacement of the journal: meanwhile the list is neither replaced nor looked at. */
    public synchronized <T> T whileListStays(Supplier<T> replacement) {
        return replacement.get();
    }

    /** The journal that follows; it has the list already. Inside {@link #whileListStays}. */
    public synchronized void journal(Journal next) {
        journal = next;
    }

    /** See {@link ext4.api.fs.CoreFileSystem#orphans}. */
    public synchronized List<OrphanPlace> present() {
        try (Barrier barrier = journal.lockUpdates()) {
            list.closing(barrier.handle()); // what a list has put off has no place before
            return list.present();
        }
    }

    @FunctionalInterface
    private interface Attach {
        OrphanList to(List<OrphanPlace> present);
    }

    private SwapReport replace(String newName, Attach attach) {
        OrphanList old = list;
        String oldName = name;
        long begin = System.nanoTime(); // the wait for open handles is part of the pause: nobody may start meanwhile
        long changes = old.diskChanges();
        int carried;
        try (Barrier barrier = journal.lockUpdates()) {
            // Opens the barrier's handle, which is closed with the barrier.
            old.closing(barrier.handle());
            changes = old.diskChanges() - changes;
            List<OrphanPlace> present = old.present();
            carried = present.size();
            OrphanList next = attach.to(present);
            barrier.publish(next);
            list = next;
            name = newName;
            old.detach();
        }
        long micros = (System.nanoTime() - begin) / 1000;
        return new SwapReport(oldName, newName, carried, micros, changes);
    }
}
