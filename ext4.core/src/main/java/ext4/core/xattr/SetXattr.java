// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.file.Engine;
import ext4.core.inode.Inode;
import ext4.format.inode.InodeFlags;
import ext4.format.xattr.XattrName;
import java.util.Arrays;

/** setxattr(2) and removexattr(2). */
public final class SetXattr {
    /** Longest value, bytes: XATTR_SIZE_MAX. */
    private static final int XATTR_SIZE_MAX = 65536;

    private final Engine engine;
    private final Xattrs xattrs;

    /** In this filesystem. */
    public SetXattr(Engine engine, Xattrs xattrs) {
        this.engine = engine;
        this.xattrs = xattrs;
    }

    /**
     * Sets an attribute by its full name; an ACL in the form of setxattr(2).
     *
     * @param flags 0, XATTR_CREATE or XATTR_REPLACE
     * @throws ErrnoException EEXIST, ENODATA by {@code flags}; E2BIG above 64 KiB; ENOSPC for what does not fit a block;
     *     ERANGE for the name; EOPNOTSUPP for the namespace; EINVAL for an ACL that is none;
     *     EACCES for a default ACL of anything but a directory; EPERM for a user attribute of a special file and for what is
     *     immutable or append-only; EROFS
     */
    public void set(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        FullName full = FullName.of(name);
        if ((flags & ~(FileSystem.XATTR_CREATE | FileSystem.XATTR_REPLACE)) != 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        if (value.length > XATTR_SIZE_MAX) {
            throw ErrnoException.of(Errno.E2BIG);
        }
        byte[] stored = full.isAcl() ? Acls.toDisk(value) : value;
        engine.space().run(() -> locked(who, ino, full, stored, flags));
    }

    /**
     * Removes an attribute by its full name.
     *
     * @throws ErrnoException ENODATA if there is none (but not for an ACL); otherwise as {@link #set}
     */
    public void remove(Credentials who, int ino, byte[] name) {
        FullName full = FullName.of(name);
        int flags = full.isAcl() ? 0 : FileSystem.XATTR_REPLACE;
        engine.space().run(() -> locked(who, ino, full, null, flags));
    }

    private void locked(Credentials who, int ino, FullName full, byte[] value, int flags) {
        Inode inode = engine.inodes().get(ino);
        inode.lock.writeLock().lock();
        try {
            inode.checkLive();
            check(inode, full, value, flags);
            if (!full.isAcl() && value != null && isSet(inode, full, value)) {
                return; // nothing changes, not even the change time
            }
            try (Handle handle = engine.volume().start(HandleKind.XATTR, Xattrs.SET_CREDITS, 0)) {
                change(handle, who, inode, full, value);
            }
        } finally {
            inode.lock.writeLock().unlock();
            engine.inodes().put(inode);
        }
    }

    private boolean isSet(Inode inode, FullName full, byte[] value) {
        return Arrays.equals(value, xattrs.get(inode, full.index(), full.suffix()));
    }

    private void check(Inode inode, FullName full, byte[] value, int flags) {
        engine.volume().checkWritable();
        if ((inode.flags & (InodeFlags.IMMUTABLE | InodeFlags.APPEND)) != 0) {
            throw ErrnoException.of(Errno.EPERM);
        }
        full.checkKind(inode, Errno.EPERM);
        if (full.index() == XattrName.ACL_DEFAULT && !inode.isDirectory() && value != null) {
            throw ErrnoException.of(Errno.EACCES);
        }
        if (flags != 0) {
            boolean exists = xattrs.get(inode, full.index(), full.suffix()) != null;
            if (exists && (flags & FileSystem.XATTR_CREATE) != 0) {
                throw ErrnoException.of(Errno.EEXIST);
            }
            if (!exists && (flags & FileSystem.XATTR_REPLACE) != 0) {
                throw ErrnoException.of(Errno.ENODATA);
            }
        }
    }

    private void change(Handle handle, Credentials who, Inode inode, FullName full, byte[] value) {
        if (full.isAcl()) {
            Acls.set(xattrs, handle, who, inode, full.index(), value);
        } else if (value != null) {
            xattrs.set(handle, who, inode, full.index(), full.suffix(), value);
        } else {
            xattrs.remove(handle, who, inode, full.index(), full.suffix());
        }
    }
}
