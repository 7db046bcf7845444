// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.core.inode.Inode;
import ext4.core.inode.InodeCache;

/**
 * Inodes held and locked for writing by one verb, released together. Waits only for a number above all that it has; see
 * the package for why.
 */
final class Locks implements AutoCloseable {
    /** Two directories, what their entries named when they were first looked at, and what they name now. */
    private static final int MOST = 6;

    private final InodeCache cache;
    private final Inode[] inodes = new Inode[MOST];
    private int size;

    Locks(InodeCache cache) {
        this.cache = cache;
    }

    /** The inode if it is among these, else null. */
    Inode find(int ino) {
        for (int i = 0; i < size; i++) {
            if (inodes[i].ino == ino) {
                return inodes[i];
            }
        }
        return null;
    }

    /**
     * Waits for the lock of an inode, whose number is above all that are here.
     *
     * @throws ext4.api.fs.ErrnoException ESTALE if it is not in use
     */
    Inode lock(int ino) {
        if (!isAbove(ino)) {
            throw new IllegalStateException("inode " + ino + " is locked out of order");
        }
        Inode inode = cache.get(ino);
        inode.lock.writeLock().lock();
        return keep(inode);
    }

    /** The inode, locked if that needs no waiting out of order; null if it would. */
    Inode tryLock(int ino) {
        Inode mine = find(ino);
        if (mine != null) {
            return mine;
        }
        if (isAbove(ino)) {
            return lock(ino);
        }
        Inode inode = cache.get(ino);
        if (!inode.lock.writeLock().tryLock()) {
            cache.put(inode);
            return null;
        }
        return keep(inode);
    }

    private Inode keep(Inode inode) {
        boolean live = false;
        try {
            inode.checkLive();
            live = true;
        } finally {
            if (!live) {
                inode.lock.writeLock().unlock();
                cache.put(inode);
            }
        }
        inodes[size++] = inode;
        return inode;
    }

    private boolean isAbove(int ino) {
        for (int i = 0; i < size; i++) {
            if (Integer.compareUnsigned(inodes[i].ino, ino) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        while (size > 0) {
            Inode inode = inodes[--size];
            inode.lock.writeLock().unlock();
            cache.put(inode);
        }
    }
}
