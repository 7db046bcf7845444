// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.dir.DirFile;
import ext4.core.dir.DirInsert;
import ext4.core.dir.DirLookup;
import ext4.core.file.GetAttr;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;
import ext4.core.xattr.Acls;
import ext4.core.xattr.Xattrs;
import ext4.format.inode.FileMode;

/**
 * What create, mknod, mkdir and symlink have in common: a new inode and its first name, in one transaction.
 *
 * <p>If something fails after the inode was taken (no block for the directory) the inode is left without a link on the
 * orphan list, in the same transaction, and freed like any unlinked one.
 */
final class Creation {
    /** What makes the new inode what it is. */
    interface Body {
        /** Credits of {@link #fill}. */
        int credits(Inode parent);

        /** Throws what forbids it, once it is certain that the name is free. */
        default void check() {}

        /** Gives the inode its content; its fields are written afterwards. */
        void fill(Handle handle, Inode parent, Inode fresh);
    }

    /** A body without content, as a regular file's. */
    static final Body EMPTY = new Body() {
        @Override
        public int credits(Inode parent) {
            return 0;
        }

        @Override
        public void fill(Handle handle, Inode parent, Inode fresh) {
            // the allocator did it all
        }
    };

    /** Records of the parent and of the new inode; the latter may share no block with the one InodeAllocator counts. */
    private static final int RECORDS = 2 * InodeStore.CREDITS;

    /** An add, should the creation fail. */
    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;
    private final Credentials who;
    private final int parent;
    private final byte[] name;
    private final int mode;
    private final Body body;
    private final Attributes out;
    private final DirLookup place = new DirLookup();
    private int abandoned;

    Creation(Namespace ns, Credentials who, int parent, byte[] name, int mode, Body body, Attributes out) {
        this.ns = ns;
        this.who = who;
        this.parent = parent;
        this.name = name;
        this.mode = mode;
        this.body = body;
        this.out = out;
    }

    /** Makes it, pinned once. */
    void run() {
        Namespace.checkName(name);
        if (Namespace.isDots(name)) {
            throw ErrnoException.of(Errno.EEXIST);
        }
        ns.engine().space().run(this::attempt);
    }

    private void attempt() {
        abandoned = 0;
        try (Locks locks = new Locks(ns.engine().inodes())) {
            Inode directory = locks.lock(parent);
            Namespace.checkParent(directory);
            DirFile file = ns.open(directory, who);
            check(directory, file);
            body.check();
            byte[] acl = FileMode.isSymlink(mode) ? null : Acls.defaultOf(ns.xattrs(), directory);
            int credits = RECORDS
                    + InodeAllocator.ALLOCATE_CREDITS
                    + ns.directories().insertCredits(directory)
                    + body.credits(directory)
                    + (acl == null ? 0 : 2 * Xattrs.SET_CREDITS);
            try (Handle handle = ns.start(credits, ORPHAN_CHANGES)) {
                create(handle, directory, file, acl);
            }
        } finally {
            if (abandoned != 0) {
                ns.engine().unlinked(abandoned);
            }
        }
    }

    private void check(Inode directory, DirFile file) {
        if (place.findOrRoom(directory, file, name)) {
            throw ErrnoException.of(Errno.EEXIST);
        }
        ns.volume().checkWritable();
        Namespace.checkMayAdd(directory);
        if (FileMode.isDirectory(mode)) {
            Links.checkSubdirectory(directory, ns.volume().superblock());
        }
    }

    private void create(Handle handle, Inode directory, DirFile file, byte[] acl) {
        boolean masked = acl == null && !FileMode.isSymlink(mode);
        int asked = masked ? mode & ~(who.umask() & 0777) : mode;
        Inode fresh = ns.engine().inodeAllocator().allocate(handle, directory, asked, who);
        try {
            fillAndName(handle, directory, file, acl, fresh);
            ns.engine().pins().add(fresh.ino);
            GetAttr.fill(fresh, out);
        } catch (RuntimeException e) {
            abandon(handle, fresh, e);
            throw e;
        } finally {
            fresh.lock.writeLock().unlock();
            ns.engine().inodes().put(fresh);
        }
    }

    private void fillAndName(Handle handle, Inode directory, DirFile file, byte[] acl, Inode fresh) {
        InodeStore records = ns.engine().records();
        if (acl != null) {
            Acls.inherit(ns.xattrs(), handle, who, fresh, acl);
        }
        body.fill(handle, directory, fresh);
        records.writeMapping(handle, fresh);
        DirInsert.insert(
                handle, file, place, name, fresh.ino, ns.directories().format().fileType(mode));
        if (fresh.isDirectory()) {
            Links.addSubdirectory(directory);
        }
        Times.modified(directory, ns.volume().clock().nanos());
        records.write(handle, directory);
    }

    private void abandon(Handle handle, Inode fresh, RuntimeException cause) {
        try {
            fresh.nlink = 0;
            ns.engine().records().write(handle, fresh);
            handle.orphans().add(handle, fresh.ino);
            abandoned = fresh.ino;
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
