// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.core.dir.DirChange;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeCache;
import java.util.HashSet;
import java.util.Set;

/**
 * The directories from one up to the root. The rename lock is held, so the chain doesn't change; each is locked for
 * reading in turn, none while another is.
 */
final class Ancestors {
    private final Set<Integer> inos = new HashSet<>();

    /** Of {@code ino}, which is among them. */
    Ancestors(Namespace ns, int ino) {
        int at = ino;
        while (at != Inode.ROOT) {
            if (!inos.add(at)) {
                throw Namespace.badTarget(at, at, "a way up to the root");
            }
            at = parent(ns, at);
        }
        inos.add(at);
    }

    boolean contains(int ino) {
        return inos.contains(ino);
    }

    private static int parent(Namespace ns, int ino) {
        InodeCache inodes = ns.engine().inodes();
        Inode directory = inodes.get(ino);
        directory.lock.readLock().lock();
        try {
            directory.checkLive();
            Namespace.checkParent(directory);
            return ns.checkedTarget(ino, DirChange.parent(ns.directories().open(directory)));
        } finally {
            directory.lock.readLock().unlock();
            inodes.put(directory);
        }
    }
}
