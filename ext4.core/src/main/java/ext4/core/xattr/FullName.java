// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.inode.Inode;
import ext4.format.xattr.XattrName;

/**
 * A name as callers give it, taken apart: xattr(7).
 *
 * @param index stands for the namespace
 * @param suffix what follows the namespace's prefix; empty for an ACL
 */
@SuppressWarnings("ArrayRecordComponent")
record FullName(int index, byte[] suffix) {
    private static final int XATTR_NAME_MAX = 255;

    /**
     * Takes a name apart.
     *
     * @throws ErrnoException ERANGE if it is empty or longer than 255 bytes, EOPNOTSUPP for a namespace other than user,
     *     trusted, security and the two ACLs, EINVAL with a NUL in it
     */
    static FullName of(byte[] name) {
        if (name.length == 0 || name.length > XATTR_NAME_MAX) {
            throw ErrnoException.of(Errno.ERANGE);
        }
        int index = XattrName.index(name);
        boolean acl = Acls.isAcl(index);
        if (!acl && index != XattrName.USER && index != XattrName.TRUSTED && index != XattrName.SECURITY) {
            throw ErrnoException.of(Errno.EOPNOTSUPP);
        }
        byte[] suffix = XattrName.suffix(name, index);
        for (byte b : suffix) {
            if (b == 0) {
                throw ErrnoException.of(Errno.EINVAL);
            }
        }
        return new FullName(index, suffix);
    }

    /**
     * Whether an inode can have it: user attributes only regular files and directories, ACLs anything but a symlink; EINVAL
     * without a name in the namespace.
     *
     * @param otherwise what to throw for a user attribute on something else
     */
    void checkKind(Inode inode, Errno otherwise) {
        if (index == XattrName.USER && !inode.isRegular() && !inode.isDirectory()) {
            throw ErrnoException.of(otherwise);
        }
        if (suffix.length == 0 && !isAcl()) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        if (isAcl() && inode.isSymlink()) {
            throw ErrnoException.of(Errno.EOPNOTSUPP);
        }
    }

    boolean isAcl() {
        return Acls.isAcl(index);
    }
}
