// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * A part of the inode cache: an open-addressing table, and a hand that goes round it for inodes to let go. Looking one up
 * touches the table of numbers and the inode itself but none of its neighbours, which in a large cache are all far away.
 * Every method takes the monitor.
 */
final class InodeStripe {
    /** Slots that the hand passes before one more inode comes in. */
    private static final int EVICT_LOOKS = 32;

    private final int share;

    // guarded by this; 0 is an empty slot
    private int[] inos = new int[16];
    // guarded by this; in the slots of their numbers
    private Inode[] table = new Inode[16];
    // guarded by this
    private int count;
    // guarded by this; the slot that is looked at next
    private int hand;

    // Keeps the fields of two stripes that lie side by side out of one cache line.
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

    InodeStripe(int share) {
        this.share = share;
    }

    /**
     * The inode, held once more and loaded; or, if it was not there, a fresh one with {@link Inode#loading} set that the
     * caller has to load. Waits for another thread that loads it.
     */
    synchronized Inode findOrAdd(int ino) {
        Inode inode = lookupLocked(ino);
        if (inode == null) {
            Inode fresh = new Inode(ino);
            fresh.loading = true;
            addLocked(fresh);
            return fresh;
        }
        inode.holds++;
        inode.used = true;
        boolean interrupted = false;
        while (!inode.ready && inode.failure == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!inode.ready) {
            inode.holds--;
            throw inode.failure;
        }
        return inode;
    }

    /** The inode with its read lock taken, not held, if it is there, loaded and nobody has to be waited for; else null. */
    synchronized Inode readLocked(int ino) {
        Inode inode = lookupLocked(ino);
        if (inode == null
                || !inode.ready
                || inode.stale
                || !inode.lock.readLock().tryLock()) {
            return null;
        }
        inode.used = true;
        return inode;
    }

    synchronized void loaded(Inode inode, Pins pins) {
        inode.stale = !pins.keepsPromise(inode.ino, inode.generation);
        inode.ready = true;
        inode.loading = false;
        notifyAll();
    }

    synchronized void promiseEnded(int ino) {
        Inode inode = lookupLocked(ino);
        if (inode != null) {
            inode.stale = false;
        }
    }

    synchronized void failed(Inode inode, RuntimeException cause) {
        inode.failure = cause;
        inode.holds--;
        removeLocked(inode);
        notifyAll();
    }

    synchronized void put(Inode inode) {
        if (--inode.holds < 0) {
            throw new IllegalStateException(inode + " put more often than held");
        }
    }

    synchronized void replace(Inode fresh) {
        Inode old = lookupLocked(fresh.ino);
        if (old != null) {
            removeLocked(old);
        }
        fresh.ready = true;
        addLocked(fresh);
    }

    synchronized void remove(Inode inode) {
        removeLocked(inode);
    }

    synchronized int count() {
        return count;
    }

    private Inode lookupLocked(int ino) {
        int slot = slotLocked(ino);
        return slot < 0 ? null : table[slot];
    }

    /** Where the number stands, -1 if it doesn't. */
    private int slotLocked(int ino) {
        for (int slot = home(ino); inos[slot] != 0; slot = next(slot)) {
            if (inos[slot] == ino) {
                return slot;
            }
        }
        return -1;
    }

    private void addLocked(Inode inode) {
        evictLocked();
        if ((count + 1) * 3L > inos.length * 2L) {
            growLocked();
        }
        inode.holds++;
        placeLocked(inode);
        count++;
    }

    private void placeLocked(Inode inode) {
        int slot = home(inode.ino);
        while (inos[slot] != 0) {
            slot = next(slot);
        }
        inos[slot] = inode.ino;
        table[slot] = inode;
    }

    /**
     * Lets go inodes that nobody holds and nobody used since the hand passed. It passes no more than a few slots, so that
     * a stripe full of held inodes costs little; the next call goes on.
     */
    private void evictLocked() {
        for (int looked = 0; count >= share && looked < EVICT_LOOKS; looked++) {
            Inode candidate = table[hand];
            if (candidate != null && candidate.holds == 0) {
                if (!candidate.used) {
                    deleteLocked(hand); // another one may have moved into the slot
                    continue;
                }
                candidate.used = false;
            }
            hand = next(hand);
        }
    }

    private void removeLocked(Inode inode) {
        int slot = slotLocked(inode.ino);
        if (slot >= 0 && table[slot] == inode) {
            deleteLocked(slot);
        }
    }

    /** Closes the gap: entries behind it move up unless they stand at or behind their home already. */
    private void deleteLocked(int slot) {
        int mask = inos.length - 1;
        int gap = slot;
        for (int at = next(slot); inos[at] != 0; at = next(at)) {
            if ((at - home(inos[at]) & mask) >= (at - gap & mask)) {
                inos[gap] = inos[at];
                table[gap] = table[at];
                gap = at;
            }
        }
        inos[gap] = 0;
        table[gap] = null;
        count--;
    }

    private void growLocked() {
        Inode[] old = table;
        inos = new int[old.length * 2];
        table = new Inode[old.length * 2];
        hand = 0;
        for (Inode inode : old) {
            if (inode != null) {
                placeLocked(inode);
            }
        }
    }

    private int next(int slot) {
        return slot + 1 & inos.length - 1;
    }

    /** The high bits of the product choose the stripe; those below are spread once more. */
    private int home(int ino) {
        int spread = ino * 0x85EBCA6B;
        return (spread ^ spread >>> 15) & inos.length - 1;
    }
}
