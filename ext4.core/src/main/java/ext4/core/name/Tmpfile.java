// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;
import ext4.core.file.GetAttr;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeStore;
import ext4.core.xattr.Acls;
import ext4.core.xattr.Xattrs;
import ext4.format.inode.FileMode;

/** open(2) with O_TMPFILE. */
public final class Tmpfile {
    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;

    /** In this filesystem. */
    public Tmpfile(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Makes a regular file without a name, pinned once and on the orphan list: it is freed with its last pin unless
     * {@link Link} names it before.
     *
     * @param mode permission bits
     * @throws ext4.api.fs.ErrnoException ENOENT for a removed directory, ENOTDIR, ENOSPC, EROFS
     */
    public void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        ns.volume().checkWritable();
        int typed = FileMode.S_IFREG | mode & FileMode.PERMISSIONS;
        ns.engine().space().run(() -> attempt(who, parent, typed, out));
    }

    private void attempt(Credentials who, int parent, int mode, Attributes out) {
        int unnamed = 0;
        try (Locks locks = new Locks(ns.engine().inodes())) {
            Inode directory = locks.lock(parent);
            Namespace.checkParent(directory);
            byte[] acl = Acls.defaultOf(ns.xattrs(), directory);
            int credits =
                    InodeAllocator.ALLOCATE_CREDITS + InodeStore.CREDITS + (acl == null ? 0 : 2 * Xattrs.SET_CREDITS);
            int asked = acl == null ? mode & ~(who.umask() & 0777) : mode;
            try (Handle handle = ns.start(credits, ORPHAN_CHANGES)) {
                Inode fresh = ns.engine().inodeAllocator().allocate(handle, directory, asked, who);
                try {
                    unname(handle, fresh);
                    unnamed = fresh.ino;
                    finish(handle, who, fresh, acl, out);
                } finally {
                    fresh.lock.writeLock().unlock();
                    ns.engine().inodes().put(fresh);
                }
            }
        } finally {
            // if it failed after all nobody has it pinned, and it is freed
            if (unnamed != 0) {
                ns.engine().unlinked(unnamed);
            }
        }
    }

    private void unname(Handle handle, Inode fresh) {
        fresh.nlink = 0;
        ns.engine().records().write(handle, fresh);
        handle.orphans().add(handle, fresh.ino);
    }

    private void finish(Handle handle, Credentials who, Inode fresh, byte[] acl, Attributes out) {
        if (acl != null) {
            Acls.inherit(ns.xattrs(), handle, who, fresh, acl);
            ns.engine().records().write(handle, fresh);
        }
        ns.engine().pins().add(fresh.ino);
        GetAttr.fill(fresh, out);
    }
}
