// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.dir.DirChange;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;

/** rmdir(2). */
public final class Rmdir {
    /** The block with the entry; the records of both directories. */
    private static final int CREDITS = 1 + 2 * InodeStore.CREDITS;

    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;

    /** In this filesystem. */
    public Rmdir(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Removes an empty directory. Who has it pinned finds it empty, and can make nothing in it.
     *
     * @throws ErrnoException ENOENT, ENOTDIR, ENOTEMPTY, EINVAL for ".", ENAMETOOLONG, EROFS, EPERM if either is immutable or
     *     append-only
     */
    public void rmdir(Credentials who, int parent, byte[] name) {
        Namespace.checkName(name);
        ns.volume().checkWritable();
        if (Namespace.isDots(name)) {
            throw ErrnoException.of(name.length == 1 ? Errno.EINVAL : Errno.ENOTEMPTY);
        }
        Entry entry = new Entry(parent, name);
        try (LockedEntries _ = LockedEntries.of(ns, who, entry)) {
            check(entry);
            try (Handle handle = ns.start(CREDITS, ORPHAN_CHANGES)) {
                remove(handle, entry);
            }
        }
        ns.engine().unlinked(entry.child.ino);
    }

    private void check(Entry entry) {
        if (!entry.present) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (!entry.child.isDirectory()) {
            throw ErrnoException.of(Errno.ENOTDIR);
        }
        Namespace.checkMayRemove(entry.directory, entry.child);
        if (entry.child.ino == Inode.ROOT) {
            throw Namespace.badTarget(entry.directoryIno, entry.child.ino, "another directory than the root");
        }
        if (!DirChange.isEmpty(ns.directories().open(entry.child))) {
            throw ErrnoException.of(Errno.ENOTEMPTY);
        }
    }

    private void remove(Handle handle, Entry entry) {
        InodeStore records = ns.engine().records();
        long now = ns.volume().clock().nanos();
        Inode child = entry.child;
        DirChange.remove(handle, entry.file, entry.place);
        Links.dropSubdirectory(entry.directory);
        Times.modified(entry.directory, now);
        records.write(handle, entry.directory);
        child.nlink = 0;
        Times.changed(child, now);
        records.write(handle, child);
        handle.orphans().add(handle, child.ino);
    }
}
