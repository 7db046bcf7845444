// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.journal.Handle;
import ext4.core.dir.DirChange;
import ext4.core.dir.DirInsert;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Times;

/** The plain rename, checked and locked. The new name comes first: all that can fail for want of space is in it. */
final class RenameMove {
    /** The block with the old entry, the one with "..", four records. */
    private static final int CREDITS = 2 + 4 * InodeStore.CREDITS;

    /** What is replaced may lose its last link. */
    private static final int ORPHAN_CHANGES = 1;

    private final Namespace ns;
    private final Entry from;
    private final Entry to;

    RenameMove(Namespace ns, Entry from, Entry to) {
        this.ns = ns;
        this.from = from;
        this.to = to;
    }

    /** Does it; whether what was replaced has no link any more. */
    boolean run() {
        int credits = CREDITS + ns.directories().insertCredits(to.directory);
        try (Handle handle = ns.start(credits, ORPHAN_CHANGES)) {
            long now = ns.volume().clock().nanos();
            setNewName(handle);
            removeOldName(handle);
            moveSubdirectory(handle);
            boolean gone = to.present && dropReplaced(handle, now);
            Times.changed(from.child, now);
            Times.modified(from.directory, now);
            Times.modified(to.directory, now);
            InodeStore records = ns.engine().records();
            records.write(handle, from.child);
            records.write(handle, from.directory);
            records.write(handle, to.directory);
            return gone;
        }
    }

    private void setNewName(Handle handle) {
        int type = ns.directories().format().fileType(from.child.mode);
        if (to.present) {
            DirChange.replace(handle, to.file, to.place, from.child.ino, type);
        } else {
            DirInsert.insert(handle, to.file, to.name, from.child.ino, type);
        }
    }

    private void removeOldName(Handle handle) {
        // in one directory the insert may have moved it
        if (!from.place.findToChange(from.file, from.name)) {
            throw new IllegalStateException("a name vanished under its directory's lock");
        }
        DirChange.remove(handle, from.file, from.place);
    }

    private void moveSubdirectory(Handle handle) {
        if (from.child.isDirectory() && from.directory != to.directory) {
            DirChange.parent(handle, ns.directories().open(from.child), to.directory.ino);
            Links.dropSubdirectory(from.directory);
            if (!to.present) {
                Links.addSubdirectory(to.directory);
            }
        } else if (to.present && to.child.isDirectory()) {
            Links.dropSubdirectory(to.directory);
        }
    }

    private boolean dropReplaced(Handle handle, long now) {
        Inode replaced = to.child;
        if (replaced.isDirectory()) {
            replaced.nlink = 0;
        } else {
            Links.dropFile(replaced);
        }
        Times.changed(replaced, now);
        ns.engine().records().write(handle, replaced);
        if (replaced.nlink == 0) {
            handle.orphans().add(handle, replaced.ino);
            return true;
        }
        return false;
    }
}
