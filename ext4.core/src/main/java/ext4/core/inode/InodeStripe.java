// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** A part of the inode cache: a chained hash table and a list by last use. Every method takes the monitor. */
final class InodeStripe {
    private static final int EVICT_LOOKS = 8;

    private final int share;

    // guarded by this
    private Inode[] table = new Inode[16];
    // guarded by this
    private int count;
    // guarded by this; the ends of the list by last use
    private Inode newest;
    // guarded by this
    private Inode oldest;

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
        if (inode != newest) {
            unlinkLocked(inode);
            linkLocked(inode);
        }
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
        if (lookupLocked(inode.ino) == inode) {
            removeLocked(inode);
        }
    }

    synchronized int count() {
        return count;
    }

    private Inode lookupLocked(int ino) {
        Inode inode = table[slot(ino)];
        while (inode != null && inode.ino != ino) {
            inode = inode.chain;
        }
        return inode;
    }

    private void addLocked(Inode inode) {
        evictLocked();
        if (count >= table.length) {
            growLocked();
        }
        inode.holds++;
        int slot = slot(inode.ino);
        inode.chain = table[slot];
        table[slot] = inode;
        count++;
        linkLocked(inode);
    }

    /** Looks at no more than a few, so that a stripe full of held inodes costs little; the next call goes on. */
    private void evictLocked() {
        Inode candidate = oldest;
        for (int looked = 0; count >= share && candidate != null && looked < EVICT_LOOKS; looked++) {
            Inode next = candidate.newer;
            if (candidate.holds == 0) {
                removeLocked(candidate);
            } else if (candidate != newest) {
                unlinkLocked(candidate);
                linkLocked(candidate);
            }
            candidate = next;
        }
    }

    private void removeLocked(Inode inode) {
        int slot = slot(inode.ino);
        if (table[slot] == inode) {
            table[slot] = inode.chain;
        } else {
            Inode before = table[slot];
            while (before.chain != inode) {
                before = before.chain;
            }
            before.chain = inode.chain;
        }
        inode.chain = null;
        count--;
        unlinkLocked(inode);
    }

    private void linkLocked(Inode inode) {
        inode.older = newest;
        if (newest != null) {
            newest.newer = inode;
        } else {
            oldest = inode;
        }
        newest = inode;
    }

    private void unlinkLocked(Inode inode) {
        if (inode.newer != null) {
            inode.newer.older = inode.older;
        } else {
            newest = inode.older;
        }
        if (inode.older != null) {
            inode.older.newer = inode.newer;
        } else {
            oldest = inode.newer;
        }
        inode.newer = null;
        inode.older = null;
    }

    private void growLocked() {
        Inode[] old = table;
        table = new Inode[old.length * 2];
        for (Inode head : old) {
            Inode inode = head;
            while (inode != null) {
                Inode next = inode.chain;
                int slot = slot(inode.ino);
                inode.chain = table[slot];
                table[slot] = inode;
                inode = next;
            }
        }
    }

    private int slot(int ino) {
        return ino * 0x9E3779B9 >>> 6 & table.length - 1;
    }
}
