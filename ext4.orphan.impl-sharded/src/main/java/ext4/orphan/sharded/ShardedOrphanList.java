// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Stripes by inode number. Add and remove note in memory what is wanted; {@link #closing} compares that with what stands
 * on disk and writes the difference: removals first, then adds, into freed slots first.
 *
 * <p>Lock order: a stripe's lock is taken with inode locks and a handle held, one stripe at a time; inside it only
 * record locks (pins). Nothing on the path of add and remove is shared by all stripes.
 */
final class ShardedOrphanList implements OrphanList {
    private static final int STRIPES = 64; // a power of two, far above the tasks that meet here

    /** An add costs at most a slot, or head and link; a remove a slot, or predecessor's link or head; a relink a link. */
    private static final int CREDITS_PER_CHANGE = 3;

    private final OrphanStore store;
    private final DiskImage disk;
    private final Stripe[] stripes = new Stripe[STRIPES];
    private volatile long diskChanges; // written in closing only
    /** Set before the list is at work. */
    private LongConsumer waits = nanos -> {};

    ShardedOrphanList(OrphanStore store, List<OrphanPlace> present) {
        this.store = store;
        disk = new DiskImage(store);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
        try {
            adopt(present);
        } catch (RuntimeException e) {
            detach(); // a refused attach leaves no pin behind
            throw e;
        }
    }

    private void adopt(List<OrphanPlace> present) {
        boolean persistent = store.persistent();
        Orphan lastInChain = null;
        for (OrphanPlace place : present) {
            Stripe stripe = stripe(place.ino());
            stripe.lock();
            try {
                if (stripe.orphans.get(place.ino()) != null) {
                    throw new IllegalArgumentException(
                            "orphan " + Integer.toUnsignedString(place.ino()) + " is listed twice");
                }
                Orphan orphan = disk.adopt(place, lastInChain);
                if (persistent) {
                    store.pin(place.ino());
                    orphan.pinned = true;
                }
                stripe.orphans.add(orphan);
                stripe.wanted++;
                if (place.where() == OrphanPlace.Where.CHAIN) {
                    lastInChain = orphan;
                } else if (place.where() == OrphanPlace.Where.NOWHERE && persistent) {
                    stripe.touchLocked(orphan);
                }
            } finally {
                stripe.unlock();
            }
        }
    }

    @Override
    public void waits(LongConsumer nanos) {
        waits = nanos;
    }

    /** As {@code stripe.lock()}, which begins in the same way. */
    private void lock(Stripe stripe) {
        if (!stripe.tryLock()) {
            long begin = System.nanoTime();
            stripe.lock();
            waits.accept(System.nanoTime() - begin);
        }
    }

    private Stripe stripe(int ino) {
        return stripes[(ino * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(STRIPES))];
    }

    @Override
    public int credits(int changes) {
        return CREDITS_PER_CHANGE * changes;
    }

    @Override
    public void add(Handle handle, int ino) {
        Stripe stripe = stripe(ino);
        lock(stripe);
        try {
            Orphan orphan = stripe.orphans.get(ino);
            if (orphan != null && orphan.wanted) {
                return;
            }
            boolean persistent = store.persistent();
            if (orphan == null) {
                orphan = newLocked(handle, stripe, ino, persistent);
            } else if (persistent) {
                noteLocked(handle, stripe, orphan);
            }
            if (!orphan.wanted) {
                orphan.wanted = true;
                stripe.wanted++;
            }
        } finally {
            stripe.unlock();
        }
    }

    /** What can fail (credits, the pin) comes before anything is changed. */
    private Orphan newLocked(Handle handle, Stripe stripe, int ino, boolean persistent) {
        Orphan orphan = new Orphan(ino, OrphanPlace.Where.NOWHERE);
        if (persistent) {
            store.pin(ino);
            try {
                noteLocked(handle, stripe, orphan);
            } catch (RuntimeException e) {
                store.unpin(ino);
                throw e;
            }
            orphan.pinned = true;
        }
        stripe.orphans.add(orphan);
        stripe.wanted++;
        return orphan;
    }

    @Override
    public void remove(Handle handle, int ino) {
        Stripe stripe = stripe(ino);
        lock(stripe);
        try {
            Orphan orphan = stripe.orphans.get(ino);
            if (orphan == null || !orphan.wanted) {
                return;
            }
            if (orphan.onDisk() && store.persistent()) {
                noteLocked(handle, stripe, orphan);
                orphan.wanted = false;
                stripe.wanted--;
                return;
            }
            if (orphan.touched) {
                stripe.untouchLocked(orphan);
                stripe.spareCredits += CREDITS_PER_CHANGE;
            }
            dropLocked(stripe, orphan);
        } finally {
            stripe.unlock();
        }
    }

    /** Puts the orphan before the next closing and sees to it that the transaction holds the credits for that. */
    private static void noteLocked(Handle handle, Stripe stripe, Orphan orphan) {
        if (orphan.touched) {
            return;
        }
        if (stripe.spareCredits >= CREDITS_PER_CHANGE) {
            stripe.spareCredits -= CREDITS_PER_CHANGE;
        } else {
            handle.reserveForClosing(CREDITS_PER_CHANGE);
        }
        stripe.touchLocked(orphan);
    }

    private void dropLocked(Stripe stripe, Orphan orphan) {
        if (orphan.wanted) {
            orphan.wanted = false;
            stripe.wanted--;
        }
        stripe.orphans.remove(orphan);
        if (orphan.pinned) {
            orphan.pinned = false;
            store.unpin(orphan.ino);
        }
    }

    @Override
    public void closing(Handle handle) {
        List<Orphan> touched = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                stripe.drainLocked(touched::add);
                stripe.spareCredits = 0; // credits end with their transaction
            } finally {
                stripe.unlock();
            }
        }
        if (touched.isEmpty() || !store.persistent()) {
            return;
        }
        for (Orphan orphan : touched) {
            if (!orphan.wanted) {
                disk.remove(handle, orphan);
            }
        }
        for (Orphan orphan : touched) {
            if (orphan.wanted) {
                switch (orphan.where) {
                    case NOWHERE -> disk.add(handle, orphan);
                    case CHAIN -> disk.relink(orphan);
                    case SLOT -> {} // removed and added again: the slot already says so
                }
            }
        }
        disk.writeChain(handle);
        diskChanges = disk.changes();
        for (Orphan orphan : touched) {
            if (!orphan.wanted) {
                Stripe stripe = stripe(orphan.ino);
                stripe.lock();
                try {
                    dropLocked(stripe, orphan);
                } finally {
                    stripe.unlock();
                }
            }
        }
    }

    @Override
    public boolean pending() {
        if (!store.persistent()) {
            return false;
        }
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                if (stripe.touchedLocked()) {
                    return true;
                }
            } finally {
                stripe.unlock();
            }
        }
        return false;
    }

    @Override
    public List<OrphanPlace> present() {
        List<OrphanPlace> places = disk.chain();
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                stripe.orphans.forEach(orphan -> {
                    switch (orphan.where) {
                        case CHAIN -> {} // listed above, in order
                        case SLOT -> places.add(disk.slotOf(orphan));
                        case NOWHERE -> places.add(OrphanPlace.nowhere(orphan.ino));
                    }
                });
            } finally {
                stripe.unlock();
            }
        }
        return places;
    }

    @Override
    public long size() {
        long sum = 0;
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                sum += stripe.wanted;
            } finally {
                stripe.unlock();
            }
        }
        return sum;
    }

    @Override
    public long diskChanges() {
        return diskChanges;
    }

    @Override
    public void detach() {
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                stripe.orphans.forEach(orphan -> {
                    if (orphan.pinned) {
                        orphan.pinned = false;
                        store.unpin(orphan.ino);
                    }
                });
            } finally {
                stripe.unlock();
            }
        }
    }
}
