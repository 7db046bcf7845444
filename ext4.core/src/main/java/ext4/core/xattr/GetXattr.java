// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.file.Engine;
import ext4.core.inode.Inode;
import java.util.List;

/** getxattr(2) and listxattr(2). */
public final class GetXattr {
    private final Engine engine;
    private final Xattrs xattrs;

    /** In this filesystem. */
    public GetXattr(Engine engine, Xattrs xattrs) {
        this.engine = engine;
        this.xattrs = xattrs;
    }

    /**
     * The value of an attribute by its full name; of an ACL in the form of getxattr(2).
     *
     * @throws ErrnoException ENODATA, ERANGE, EOPNOTSUPP, EINVAL
     */
    public byte[] get(int ino, byte[] name) {
        FullName full = FullName.of(name);
        Inode inode = engine.inodes().get(ino);
        inode.lock.readLock().lock();
        try {
            inode.checkLive();
            full.checkKind(inode, Errno.ENODATA);
            byte[] value = full.isAcl()
                    ? Acls.getWire(xattrs, inode, full.index())
                    : xattrs.get(inode, full.index(), full.suffix());
            if (value == null) {
                throw ErrnoException.of(Errno.ENODATA);
            }
            return value;
        } finally {
            inode.lock.readLock().unlock();
            engine.inodes().put(inode);
        }
    }

    /** Full names of all attributes. That trusted ones are shown to the superuser only is left to the caller. */
    public List<byte[]> list(int ino) {
        Inode inode = engine.inodes().get(ino);
        inode.lock.readLock().lock();
        try {
            inode.checkLive();
            return xattrs.list(inode);
        } finally {
            inode.lock.readLock().unlock();
            engine.inodes().put(inode);
        }
    }
}
