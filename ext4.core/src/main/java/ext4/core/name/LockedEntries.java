// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;

/**
 * Locks the directories of one or two entries and what the entries name, in the order that the package describes.
 *
 * <p>Every directory is one, and not removed (ENOTDIR, ENOENT). A name that does not exist is left without a child.
 */
final class LockedEntries implements AutoCloseable {
    private final Namespace ns;
    private final Credentials who;
    private final Entry[] entries;
    private final Locks locks;
    private final InoSet children = new InoSet();

    private LockedEntries(Namespace ns, Credentials who, Entry... entries) {
        this.ns = ns;
        this.who = who;
        this.entries = entries;
        this.locks = new Locks(ns.engine().inodes());
    }

    /** Locks; the result releases. */
    static LockedEntries of(Namespace ns, Credentials who, Entry... entries) {
        LockedEntries locked = new LockedEntries(ns, who, entries);
        boolean done = false;
        try {
            do {
                locked.locks.close();
                locked.lockInOrder();
                locked.findNames();
            } while (!locked.tryChildren());
            done = true;
            return locked;
        } finally {
            if (!done) {
                locked.close();
            }
        }
    }

    /** Waits for the directories and for what their entries named when they were last looked at. */
    private void lockInOrder() {
        InoSet all = new InoSet();
        for (Entry entry : entries) {
            all.add(entry.directoryIno);
        }
        for (int i = 0; i < children.size(); i++) {
            all.add(children.get(i));
        }
        for (int i = 0; i < all.size(); i++) {
            int ino = all.get(i);
            try {
                locks.lock(ino);
            } catch (ErrnoException e) {
                // a child may be gone by now: then its name is too
                if (e.errno() != Errno.ESTALE || isDirectoryOfEntry(ino)) {
                    throw e;
                }
            }
        }
    }

    private boolean isDirectoryOfEntry(int ino) {
        for (Entry entry : entries) {
            if (entry.directoryIno == ino) {
                return true;
            }
        }
        return false;
    }

    private void findNames() {
        children.clear();
        for (Entry entry : entries) {
            entry.directory = locks.find(entry.directoryIno);
            Namespace.checkParent(entry.directory);
            entry.file = ns.open(entry.directory, who);
            entry.present = entry.place.findToChange(entry.file, entry.name);
            if (entry.present) {
                children.add(ns.checkedTarget(entry.directoryIno, entry.place.ino()));
            }
        }
    }

    /** Whether all children could be locked; if so each entry has its own. */
    private boolean tryChildren() {
        for (int i = 0; i < children.size(); i++) {
            try {
                if (locks.tryLock(children.get(i)) == null) {
                    return false;
                }
            } catch (ErrnoException e) {
                ns.checkNotPromised(children.get(i));
                throw Namespace.badTarget(entries[0].directoryIno, children.get(i), "an inode in use");
            }
        }
        for (Entry entry : entries) {
            entry.child = entry.present ? locks.find(entry.place.ino()) : null;
        }
        return true;
    }

    @Override
    public void close() {
        locks.close();
    }
}
