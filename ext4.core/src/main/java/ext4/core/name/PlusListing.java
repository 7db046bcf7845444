// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.dir.DirItem;
import ext4.core.dir.DirListing;
import ext4.core.inode.Inode;
import ext4.format.dir.DirCookie;
import ext4.format.dir.FileType;
import java.util.List;

/**
 * Hands out entries with attributes, each pinned: first the pin, then the look whether the entry can still be the one
 * that was listed. What is not taken keeps no pin. For one thread, holding no lock.
 */
final class PlusListing {
    /** Entries of the first listing: no more than a small request takes, and never less than a leaf of an index. */
    private static final int FEW = 32;

    /** Entries of further listings. */
    private static final int MANY = 256;

    private final Namespace ns;
    private final Inode directory;
    private final DirPlusSink sink;
    /** Filled anew for each entry; the sink keeps nothing of it. */
    private Attributes attributes = new Attributes();

    private int wanted = FEW;
    private long at;
    private long changes;
    private boolean outdated;

    /** @param cookie what is listed comes after it */
    PlusListing(Namespace ns, Inode directory, DirPlusSink sink, long cookie) {
        this.ns = ns;
        this.directory = directory;
        this.sink = sink;
        at = cookie;
    }

    /** Whether the directory changed during {@link #unpinned}, so that what is left has to be listed again. */
    boolean outdated() {
        return outdated;
    }

    /** Lists some entries and pins each when its turn comes; whether there is more and it is wanted. */
    boolean unpinned() {
        DirListing listing = list(wanted, false);
        wanted = MANY;
        outdated = false;
        for (DirItem item : listing.items()) {
            boolean pins = isPinned(item);
            if (pins) {
                ns.pin(item.ino());
            }
            if (directory.contentChangeCount() != changes) {
                release(item, pins);
                outdated = true;
                return true;
            }
            if (!handOut(item)) {
                release(item, pins);
                return false;
            }
        }
        return !listing.isAtEnd();
    }

    /** As {@link #unpinned}, with the pins taken together with the listing, whose entries then stay what they are. */
    boolean pinned() {
        DirListing listing = list(FEW, true);
        List<DirItem> items = listing.items();
        int taken = 0;
        try {
            while (taken < items.size() && handOut(items.get(taken))) {
                taken++;
            }
        } finally {
            for (DirItem item : items.subList(taken, items.size())) {
                release(item, isPinned(item));
            }
        }
        return taken == items.size() && !listing.isAtEnd();
    }

    private DirListing list(int most, boolean pin) {
        if (at < 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        directory.lock.readLock().lock();
        try {
            directory.checkLive();
            Namespace.checkParent(directory);
            DirListing listing = DirListing.after(ns.directories().open(directory), at, most);
            changes = directory.contentChangeCount();
            if (pin) {
                listing.cutTo(most).items().stream()
                        .filter(PlusListing::isPinned)
                        .forEach(item -> ns.pin(item.ino()));
            }
            return listing;
        } finally {
            directory.lock.readLock().unlock();
        }
    }

    private static boolean isPinned(DirItem item) {
        return item.cookie() >= DirCookie.FIRST;
    }

    private void release(DirItem item, boolean pinned) {
        if (pinned) {
            ns.unpin(item.ino());
        }
    }

    /** Whether it was taken. */
    private boolean handOut(DirItem item) {
        describe(item);
        byte[] name = item.name();
        if (!sink.entry(item.cookie(), attributes, name, 0, name.length)) {
            return false;
        }
        at = item.cookie();
        if (attributes.nlink == 0 && isPinned(item)) {
            ns.unpin(item.ino()); // no inode to name: unreadable, or removed since it was listed
        }
        return true;
    }

    private void describe(DirItem item) {
        if (isPinned(item) && ns.isTarget(item.ino())) {
            try {
                ns.describe(item.ino(), attributes);
                return;
            } catch (CorruptException | DeviceException | ErrnoException e) {
                ns.volume().errors().reading("readdirplus", item.ino(), e);
                // listed all the same, so that it can be seen and removed
            }
        }
        attributes = new Attributes();
        attributes.ino = item.ino();
        attributes.mode = FileType.toMode(item.fileType());
    }
}
