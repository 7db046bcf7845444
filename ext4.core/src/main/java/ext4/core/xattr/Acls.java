// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.inode.Inode;
import ext4.core.volume.Evidence;
import ext4.format.FormatException;
import ext4.format.inode.FileMode;
import ext4.format.xattr.AclCodec;
import ext4.format.xattr.AclMode;
import ext4.format.xattr.XattrName;

/** ACLs and the mode bits that say the same, acl(5). Values here are those on disk unless a method says otherwise. */
public final class Acls {
    private static final byte[] NO_NAME = {};
    private static final int MODE_BITS = 0777;

    private Acls() {}

    static boolean isAcl(int index) {
        return index == XattrName.ACL_ACCESS || index == XattrName.ACL_DEFAULT;
    }

    /** The value as getxattr(2) gives it; null if there is none. */
    static byte[] getWire(Xattrs xattrs, Inode inode, int index) {
        byte[] disk = xattrs.get(inode, index, NO_NAME);
        return disk == null ? null : Evidence.parse(() -> AclCodec.toWire(disk));
    }

    /**
     * The value on disk for one given to setxattr(2); null for an ACL without entries, which means none.
     *
     * @throws ErrnoException EINVAL, or EOPNOTSUPP for another version
     */
    static byte[] toDisk(byte[] wire) {
        try {
            byte[] disk = AclCodec.toDisk(wire);
            return AclCodec.count(disk) == 0 ? null : disk;
        } catch (FormatException e) {
            throw ErrnoException.of("a_version".equals(e.field()) ? Errno.EOPNOTSUPP : Errno.EINVAL);
        }
    }

    /** Sets or (null) removes an ACL; an access ACL sets the mode, and is not stored if the mode says it all. */
    static void set(Xattrs xattrs, Handle handle, Credentials who, Inode inode, int index, byte[] acl) {
        byte[] stored = acl;
        if (index == XattrName.ACL_ACCESS && acl != null) {
            inode.mode = inode.mode & ~MODE_BITS | AclMode.mode(acl);
            if (who.uid() != 0 && who.gid() != inode.gid) {
                inode.mode &= ~FileMode.S_ISGID;
            }
            stored = AclMode.isMinimal(acl) ? null : acl;
        }
        if (stored != null) {
            xattrs.set(handle, who, inode, index, NO_NAME, stored);
        } else if (!xattrs.remove(handle, who, inode, index, NO_NAME)) {
            xattrs.changed(handle, inode);
        }
    }

    /** Lets the access ACL, if there is one, say what the mode says after chmod(2). */
    static void followMode(Xattrs xattrs, Handle handle, Inode inode) {
        byte[] acl = checked(xattrs.get(inode, XattrName.ACL_ACCESS, NO_NAME));
        if (acl != null) {
            AclMode.setMode(acl, inode.mode);
            xattrs.set(handle, Credentials.ROOT, inode, XattrName.ACL_ACCESS, NO_NAME, acl);
        }
    }

    /** The default ACL of a directory, null if it has none. */
    public static byte[] defaultOf(Xattrs xattrs, Inode directory) {
        return checked(xattrs.get(directory, XattrName.ACL_DEFAULT, NO_NAME));
    }

    /**
     * Gives a new inode what it inherits: the mode, an access ACL unless the mode says it all and, a directory, the default
     * ACL. Twice {@link Xattrs#SET_CREDITS}.
     *
     * @param defaultAcl of its directory, from {@link #defaultOf}
     */
    public static void inherit(Xattrs xattrs, Handle handle, Credentials who, Inode fresh, byte[] defaultAcl) {
        byte[] access = defaultAcl.clone();
        fresh.mode = AclMode.inherit(access, fresh.mode);
        if (fresh.isDirectory()) {
            xattrs.set(handle, who, fresh, XattrName.ACL_DEFAULT, NO_NAME, defaultAcl);
        }
        if (!AclMode.isMinimal(access)) {
            xattrs.set(handle, who, fresh, XattrName.ACL_ACCESS, NO_NAME, access);
        }
    }

    private static byte[] checked(byte[] disk) {
        if (disk == null) {
            return null;
        }
        Evidence.check(() -> AclCodec.validate(disk));
        return AclCodec.count(disk) == 0 ? null : disk;
    }
}
