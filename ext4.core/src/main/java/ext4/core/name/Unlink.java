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

/** unlink(2). */
public final class Unlink {
    /** The block with the entry; the records of directory and file. */
    private static final int CREDITS = 1 + 2 * InodeStore.CREDITS;

    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;

    /** In this filesystem. */
    public Unlink(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Removes a name of what is no directory. With its last link the inode goes on the orphan list in the same transaction,
     * and is freed when nobody has it pinned.
     *
     * @throws ErrnoException ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, EROFS, EPERM if either is immutable or append-only
     */
    public void unlink(Credentials who, int parent, byte[] name) {
        Namespace.checkName(name);
        ns.volume().checkWritable();
        if (Namespace.isDots(name)) {
            throw ErrnoException.of(Errno.EISDIR);
        }
        Entry entry = new Entry(parent, name);
        boolean last;
        try (LockedEntries _ = LockedEntries.of(ns, who, entry)) {
            check(entry);
            try (Handle handle = ns.start(CREDITS, ORPHAN_CHANGES)) {
                last = remove(handle, entry);
            }
        }
        if (last) {
            ns.engine().unlinked(entry.child.ino);
        }
    }

    private static void check(Entry entry) {
        if (!entry.present) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (entry.child.isDirectory()) {
            throw ErrnoException.of(Errno.EISDIR);
        }
        Namespace.checkMayRemove(entry.directory, entry.child);
    }

    private boolean remove(Handle handle, Entry entry) {
        InodeStore records = ns.engine().records();
        long now = ns.volume().clock().nanos();
        Inode child = entry.child;
        DirChange.remove(handle, entry.file, entry.place);
        Times.modified(entry.directory, now);
        records.write(handle, entry.directory);
        Links.dropFile(child);
        Times.changed(child, now);
        records.write(handle, child);
        if (child.nlink == 0) {
            handle.orphans().add(handle, child.ino);
            return true;
        }
        return false;
    }
}
