// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.inode.Inode;

/** readlink(2). */
public final class Readlink {
    private final Namespace ns;

    /** In this filesystem. */
    public Readlink(Namespace ns) {
        this.ns = ns;
    }

    /**
     * The whole target.
     *
     * @throws ErrnoException EINVAL if it is no symbolic link
     */
    public byte[] readlink(int ino) {
        Inode inode = ns.engine().inodes().get(ino);
        try {
            byte[] target = read(inode);
            ns.accessTime().read(inode);
            return target;
        } finally {
            ns.engine().inodes().put(inode);
        }
    }

    private byte[] read(Inode inode) {
        inode.lock.readLock().lock();
        try {
            inode.checkLive();
            if (!inode.isSymlink()) {
                throw ErrnoException.of(Errno.EINVAL);
            }
            return SymlinkTarget.read(ns.volume(), ns.engine().map(), inode);
        } finally {
            inode.lock.readLock().unlock();
        }
    }
}
