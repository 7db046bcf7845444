// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.journal.Handle;
import ext4.core.dir.DirChange;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;

/** RENAME_EXCHANGE, checked and locked: both entries stay where they are and change what they name. */
final class RenameExchange {
    /** Two blocks with an entry, two with "..", four records. */
    private static final int CREDITS = 4 + 4 * InodeStore.CREDITS;

    private final Namespace ns;
    private final Entry from;
    private final Entry to;

    RenameExchange(Namespace ns, Entry from, Entry to) {
        this.ns = ns;
        this.from = from;
        this.to = to;
    }

    /** Does it; nothing is gone afterwards. */
    boolean run() {
        try (Handle handle = ns.start(CREDITS, 0)) {
            long now = ns.volume().clock().nanos();
            DirChange.replace(handle, from.file, from.place, to.child.ino, type(to.child));
            DirChange.replace(handle, to.file, to.place, from.child.ino, type(from.child));
            if (from.directory != to.directory) {
                move(handle, from.child, from.directory, to.directory);
                move(handle, to.child, to.directory, from.directory);
            }
            Times.changed(from.child, now);
            Times.changed(to.child, now);
            Times.modified(from.directory, now);
            Times.modified(to.directory, now);
            InodeStore records = ns.engine().records();
            records.write(handle, from.child);
            records.write(handle, to.child);
            records.write(handle, from.directory);
            records.write(handle, to.directory);
        }
        return false;
    }

    private int type(Inode inode) {
        return ns.directories().format().fileType(inode.mode);
    }

    private void move(Handle handle, Inode child, Inode source, Inode target) {
        if (child.isDirectory()) {
            DirChange.parent(handle, ns.directories().open(child), target.ino);
            Links.dropSubdirectory(source);
            Links.addSubdirectory(target);
        }
    }
}
