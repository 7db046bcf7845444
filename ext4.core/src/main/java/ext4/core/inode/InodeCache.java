// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.volume.Volume;

/**
 * Inodes in memory, striped by number. One that nobody holds may leave at any time once there are more than the bound:
 * its record is never behind.
 */
public final class InodeCache {
    private static final int STRIPES = 64;
    /** Heap bytes an inode costs, its lock included. */
    private static final int BYTES = 760;

    private final Volume volume;
    private final InodeStore store;
    private final Pins pins;
    private final InodeStripe[] stripes = new InodeStripe[STRIPES];

    /** @param budget bytes of heap for inodes that nobody holds */
    public InodeCache(Volume volume, InodeStore store, Pins pins, long budget) {
        this.volume = volume;
        this.store = store;
        this.pins = pins;
        int share = (int) Math.clamp(budget / BYTES / STRIPES, 8, 1 << 16);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new InodeStripe(share);
        }
    }

    /**
     * The inode, held until {@link #put}. After taking its lock a caller that may have waited for an eviction calls
     * {@link Inode#checkLive}.
     *
     * @throws ErrnoException ESTALE if the number is not in use, or not for the inode that it was taken over for
     * @throws ext4.api.fs.CorruptException if the record contradicts itself
     */
    public Inode get(int ino) {
        return get(ino, false);
    }

    /**
     * The inode with its read lock taken, but not held, if it is in memory and nobody has to be waited for; else null. For a
     * caller that copies a few fields and unlocks: it saves the second visit to the cache.
     */
    public Inode readLocked(int ino) {
        return stripe(ino).readLocked(ino);
    }

    /** As {@link #get(int)} for clean-up: an inode without links too, whether or not it is known to be unlinked. */
    public Inode getUnlinked(int ino) {
        return get(ino, true);
    }

    private Inode get(int ino, boolean unlinkedToo) {
        if (ino == 0 || Integer.compareUnsigned(ino, volume.superblock().inodesCount()) > 0) {
            throw ErrnoException.of(Errno.ESTALE);
        }
        InodeStripe stripe = stripe(ino);
        Inode inode = stripe.findOrAdd(ino);
        if (inode.loading) {
            load(stripe, inode, unlinkedToo);
        }
        if (inode.stale && !unlinkedToo) {
            stripe.put(inode);
            throw ErrnoException.of(Errno.ESTALE);
        }
        return inode;
    }

    /** Nobody has the number pinned any more who means another inode. */
    public void promiseEnded(int ino) {
        stripe(ino).promiseEnded(ino);
    }

    /** Whether the inode, which the caller holds, is not the one that those have in mind who have its number pinned. */
    public boolean isStale(Inode inode) {
        return inode.stale;
    }

    private void load(InodeStripe stripe, Inode inode, boolean unlinkedToo) {
        try {
            store.read(inode, unlinkedToo || pins.isUnlinked(inode.ino));
        } catch (RuntimeException | Error e) {
            stripe.failed(inode, e instanceof RuntimeException known ? known : new IllegalStateException(e));
            throw e;
        }
        stripe.loaded(inode, pins);
    }

    /** Ends a hold. */
    public void put(Inode inode) {
        stripe(inode.ino).put(inode);
    }

    /**
     * A number that is taken into use: a fresh object, held and locked for writing, in the place of any stale one. It is
     * locked before others can find it, so whoever has kept the number sees nothing half made, and nobody is waited for
     * with the handle open.
     */
    Inode add(int ino, int extraIsize) {
        Inode inode = new Inode(ino);
        inode.extraIsize = extraIsize;
        if (!inode.lock.writeLock().tryLock()) {
            throw new IllegalStateException(inode + " is locked before anybody knows it");
        }
        stripe(ino).replace(inode);
        return inode;
    }

    /** The number was freed: the object leaves, whoever still holds it sees {@link Inode#freed}. */
    void remove(Inode inode) {
        stripe(inode.ino).remove(inode);
    }

    /** Inodes in memory. */
    public int count() {
        int sum = 0;
        for (InodeStripe stripe : stripes) {
            sum += stripe.count();
        }
        return sum;
    }

    private InodeStripe stripe(int ino) {
        return stripes[ino * 0x9E3779B9 >>> 26];
    }
}
