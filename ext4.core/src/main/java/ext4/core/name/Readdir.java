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
import ext4.format.dir.DirCookie;
import ext4.format.dir.FileType;
import java.util.List;

/**
 * getdents(2). Entries are taken in batches under the directory's lock and handed out without it, so a slow taker holds
 * up nobody, and an inode can be looked at without holding two locks.
 */
public final class Readdir {
    /** Entries for one taking of the lock. */
    private static final int BATCH = 256;

    /** As BATCH, where each is pinned before it is known whether it is taken. */
    private static final int BATCH_PINNED = 32;

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
                DirListing listing = batch(directory, at, BATCH, BATCH * 8, false);
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

    /** As {@link #readdir}, with attributes; what is taken stays pinned, but not "." and "..". */
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        Inode directory = ns.engine().inodes().get(ino);
        try {
            long at = cookie;
            while (true) {
                DirListing listing = batch(directory, at, BATCH_PINNED, BATCH_PINNED, true);
                if (!handOut(listing.items(), sink) || listing.isAtEnd()) {
                    return;
                }
                at = listing.items().getLast().cookie();
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

    private DirListing batch(Inode directory, long cookie, int wanted, int most, boolean pin) {
        if (cookie < 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        directory.lock.readLock().lock();
        try {
            directory.checkLive();
            Namespace.checkParent(directory);
            DirListing listing = DirListing.after(ns.directories().open(directory), cookie, wanted)
                    .cutTo(most);
            if (pin) {
                for (DirItem item : listing.items()) {
                    if (item.cookie() >= DirCookie.FIRST) {
                        ns.pin(item.ino());
                    }
                }
            }
            return listing;
        } finally {
            directory.lock.readLock().unlock();
        }
    }

    /** Whether all were taken; those that were not lose their pin. */
    private boolean handOut(List<DirItem> items, DirPlusSink sink) {
        int taken = 0;
        try {
            for (DirItem item : items) {
                byte[] name = item.name();
                Attributes attributes = attributes(item);
                if (!sink.entry(item.cookie(), attributes, name, 0, name.length)) {
                    return false;
                }
                taken++;
                if (attributes.nlink == 0 && item.cookie() >= DirCookie.FIRST) {
                    ns.unpin(item.ino()); // no inode to name: unreadable, or removed since it was listed
                }
            }
            return true;
        } finally {
            for (DirItem item : items.subList(taken, items.size())) {
                if (item.cookie() >= DirCookie.FIRST) {
                    ns.unpin(item.ino());
                }
            }
        }
    }

    private Attributes attributes(DirItem item) {
        Attributes out = new Attributes();
        if (item.cookie() >= DirCookie.FIRST && ns.isTarget(item.ino())) {
            try {
                ns.describe(item.ino(), out);
                return out;
            } catch (CorruptException | DeviceException | ErrnoException e) {
                // listed all the same, so that it can be seen and removed
                out = new Attributes();
            }
        }
        out.ino = item.ino();
        out.mode = FileType.toMode(item.fileType());
        return out;
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
            return 0;
        }
    }
}
