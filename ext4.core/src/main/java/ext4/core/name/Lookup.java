// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.dir.DirLookup;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeCache;

/** Finds a name. Lookups in one directory run side by side. */
public final class Lookup {
    private final Namespace ns;

    /** In this filesystem. */
    public Lookup(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Finds {@code name}, pins what it names and tells its attributes.
     *
     * @throws ErrnoException ENOENT, ENOTDIR, ENAMETOOLONG
     */
    public void lookup(int parent, byte[] name, Attributes out) {
        Namespace.checkName(name);
        int ino = findAndPin(parent, name);
        boolean told = false;
        try {
            describe(parent, ino, out);
            told = true;
        } finally {
            if (!told) {
                ns.unpin(ino);
            }
        }
    }

    private int findAndPin(int parent, byte[] name) {
        InodeCache inodes = ns.engine().inodes();
        Inode directory = inodes.get(parent);
        directory.lock.readLock().lock();
        try {
            directory.checkLive();
            Namespace.checkParent(directory);
            DirLookup place = new DirLookup();
            if (!place.find(ns.open(directory, Credentials.ROOT), name)) {
                directory.absent = place.absent(directory, name);
                throw ErrnoException.of(Errno.ENOENT);
            }
            int ino = Namespace.isDots(name) ? place.ino() : ns.checkedTarget(parent, place.ino());
            ns.pin(ino);
            return ino;
        } finally {
            directory.lock.readLock().unlock();
            inodes.put(directory);
        }
    }

    private void describe(int parent, int ino, Attributes out) {
        try {
            ns.describe(ino, out);
        } catch (ErrnoException e) {
            ns.checkNotPromised(ino);
            throw Namespace.badTarget(parent, ino, "an inode in use");
        }
    }
}
