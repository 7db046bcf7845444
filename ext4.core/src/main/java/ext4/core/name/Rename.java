// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;

/** rename(2), renameat2(2). */
public final class Rename {
    private final Namespace ns;

    /** In this filesystem. */
    public Rename(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Moves a name, replacing what has the new one; or, with RENAME_EXCHANGE, lets two names change places.
     *
     * @param flags 0, RENAME_NOREPLACE or RENAME_EXCHANGE
     * @throws ErrnoException ENOENT; EEXIST; ENOTDIR, EISDIR, ENOTEMPTY where the new name exists and can't be replaced; EINVAL
     *     for a directory that would move below itself, and for flags; EBUSY for "." and ".."; EMLINK, ENAMETOOLONG, ENOSPC,
     *     EROFS, EPERM for what is immutable or append-only
     */
    public void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        if (flags != 0 && flags != FileSystem.RENAME_NOREPLACE && flags != FileSystem.RENAME_EXCHANGE) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        ns.volume().checkWritable();
        if (Namespace.isDots(name) || Namespace.isDots(newName)) {
            boolean exists = flags == FileSystem.RENAME_NOREPLACE && !Namespace.isDots(name);
            throw ErrnoException.of(exists ? Errno.EEXIST : Errno.EBUSY);
        }
        Namespace.checkName(name);
        checkNewName(who, new Entry(parent, name), newName);
        ns.engine().space().run(() -> {
            Entry to = new Entry(newParent, newName);
            if (!attempt(who, new Entry(parent, name), to, flags, null, null)) {
                to = new Entry(newParent, newName);
                acrossDirectories(who, new Entry(parent, name), to, flags);
            }
            if (to.unlinked) {
                ns.engine().unlinked(to.child.ino);
            }
        });
    }

    /** What a name that can't be says only if there is something to be renamed. */
    private void checkNewName(Credentials who, Entry from, byte[] newName) {
        try {
            Namespace.checkName(newName);
        } catch (ErrnoException e) {
            try (LockedEntries _ = LockedEntries.of(ns, who, from)) {
                throw from.present ? e : ErrnoException.of(Errno.ENOENT);
            }
        }
    }

    private void acrossDirectories(Credentials who, Entry from, Entry to, int flags) {
        ns.renameLock().lock();
        try {
            Ancestors ofOld = new Ancestors(ns, from.directoryIno);
            Ancestors ofNew = new Ancestors(ns, to.directoryIno);
            attempt(who, from, to, flags, ofOld, ofNew);
        } finally {
            ns.renameLock().unlock();
        }
    }

    /** False, nothing done, if a directory would change its parent and the ancestors, hence the rename lock, are missing. */
    private boolean attempt(Credentials who, Entry from, Entry to, int flags, Ancestors ofOld, Ancestors ofNew) {
        boolean exchange = flags == FileSystem.RENAME_EXCHANGE;
        try (LockedEntries _ = LockedEntries.of(ns, who, from, to)) {
            RenameCheck check = new RenameCheck(ns, from, to, exchange);
            check.names(flags == FileSystem.RENAME_NOREPLACE);
            if (check.changesShape()) {
                if (ofNew == null) {
                    return false;
                }
                check.shape(ofOld, ofNew);
            }
            if (from.child == to.child) {
                return true;
            }
            check.types();
            check.linkCounts();
            to.unlinked = exchange ? new RenameExchange(ns, from, to).run() : new RenameMove(ns, from, to).run();
        }
        return true;
    }
}
