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
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;
import ext4.format.inode.InodeFlags;

/** link(2), and linkat(2) of what O_TMPFILE made. */
public final class Link {
    /** Records of directory and file. */
    private static final int RECORDS = 2 * InodeStore.CREDITS;

    /** A file made by O_TMPFILE leaves the list. */
    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;

    /** In this filesystem. */
    public Link(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Gives {@code ino} one more name, and pins it.
     *
     * <p>An inode without links gets its first name here and leaves the orphan list. Whether it ever had one (then linkat(2)
     * is ENOENT) is known to the kernel, which asks no more in that case; here it is not remembered.
     *
     * @throws ErrnoException EEXIST, ENOENT in a removed directory, ENOTDIR, EMLINK, ENAMETOOLONG, ENOSPC, EROFS, EPERM for a
     *     directory and for what is immutable or append-only, ESTALE
     */
    public void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        Namespace.checkName(newName);
        if (Namespace.isDots(newName)) {
            throw ErrnoException.of(Errno.EEXIST);
        }
        ns.engine().space().run(() -> attempt(who, ino, newParent, newName, out));
    }

    private void attempt(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        try (Locks locks = new Locks(ns.engine().inodes())) {
            boolean parentFirst = Integer.compareUnsigned(newParent, ino) <= 0;
            locks.lock(parentFirst ? newParent : ino);
            Inode directory = locks.tryLock(newParent);
            Inode file = locks.tryLock(ino);
            Namespace.checkParent(directory);
            DirFile blocks = ns.open(directory, who);
            if (new DirLookup().findToChange(blocks, newName)) {
                throw ErrnoException.of(Errno.EEXIST);
            }
            ns.volume().checkWritable();
            check(directory, file);
            int credits = RECORDS + ns.directories().insertCredits(directory);
            boolean first = file.nlink == 0;
            try (Handle handle = ns.start(credits, ORPHAN_CHANGES)) {
                link(handle, directory, blocks, newName, file);
            }
            if (first) {
                ns.engine().pins().linked(ino);
            }
            ns.engine().pins().add(ino);
            GetAttr.fill(file, out);
        }
    }

    private static void check(Inode directory, Inode file) {
        Namespace.checkMayAdd(directory);
        int frozen = InodeFlags.IMMUTABLE | InodeFlags.APPEND;
        if (file.isDirectory() || (file.flags & frozen) != 0) {
            throw ErrnoException.of(Errno.EPERM);
        }
        Links.checkFile(file);
    }

    private void link(Handle handle, Inode directory, DirFile blocks, byte[] name, Inode file) {
        InodeStore records = ns.engine().records();
        long now = ns.volume().clock().nanos();
        DirInsert.insert(
                handle, blocks, name, file.ino, ns.directories().format().fileType(file.mode));
        Times.modified(directory, now);
        records.write(handle, directory);
        if (file.nlink == 0) {
            records.takeOffOrphanList(handle, file.ino);
        }
        file.nlink++;
        Times.changed(file, now);
        records.write(handle, file);
    }
}
