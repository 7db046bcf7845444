// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.DirSink;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.dir.DirItem;
import ext4.core.dir.DirListing;
import ext4.core.inode.Inode;
import ext4.format.dir.FileType;

/**
 * getdents(2). Entries are taken in batches under the directory's lock and handed out without it, so a slow taker holds
 * up nobody, and an inode can be looked at without holding two locks.
 */
public final class Readdir {
    /** Entries for one taking of the lock. */
    private static final int BATCH = 256;

    private final Namespace ns;

    /** In this filesystem. */
    public Readdir(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Lists the entries after {@code cookie}.
     *
     * @throws ErrnoException ENOTDIR; ENOENT for a removed directory; EINVAL for a negative cookie
     */
    public void readdir(int ino, long cookie, DirSink sink) {
        Inode directory = ns.engine().inodes().get(ino);
        try {
            long at = cookie;
            while (true) {
                DirListing listing = batch(directory, at, BATCH, BATCH * 8);
                for (DirItem item : listing.items()) {
                    byte[] name = item.name();
                    if (!sink.entry(item.cookie(), item.ino(), mode(item), name, 0, name.length)) {
                        return;
                    }
                    at = item.cookie();
                }
                if (listing.isAtEnd()) {
                    return;
                }
            }
        } finally {
            accessed(directory);
        }
    }

    /**
     * As {@link #readdir}, with attributes; what is taken stays pinned, but not "." and "..".
     *
     * <p>An entry is pinned when its turn comes. If the directory changed since it was listed, its number may stand for
     * another file by now, so listing begins anew behind what was taken, this time with the pins under the lock: a
     * listing makes headway whatever others do.
     */
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        Inode directory = ns.engine().inodes().get(ino);
        try {
            PlusListing listing = new PlusListing(ns, directory, sink, cookie);
            boolean more = true;
            while (more) {
                more = listing.unpinned() && (!listing.outdated() || listing.pinned());
            }
        } finally {
            accessed(directory);
        }
    }

    private void accessed(Inode directory) {
        try {
            ns.accessTime().read(directory);
        } finally {
            ns.engine().inodes().put(directory);
        }
    }

    private DirListing batch(Inode directory, long cookie, int wanted, int most) {
        if (cookie < 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        directory.lock.readLock().lock();
        try {
            directory.checkLive();
            Namespace.checkParent(directory);
            return DirListing.after(ns.directories().open(directory), cookie, wanted)
                    .cutTo(most);
        } finally {
            directory.lock.readLock().unlock();
        }
    }

    /** The type as stat(2) has it: from the entry or, if it doesn't tell, from the inode; 0 if that can't be read. */
    private int mode(DirItem item) {
        int mode = FileType.toMode(item.fileType());
        if (mode != 0) {
            return mode;
        }
        try {
            Attributes found = new Attributes();
            ns.describe(item.ino(), found);
            return found.mode & 0170000;
        } catch (CorruptException | DeviceException | ErrnoException e) {
            ns.volume().errors().reading("readdir", item.ino(), e);
            return 0;
        }
    }
}
