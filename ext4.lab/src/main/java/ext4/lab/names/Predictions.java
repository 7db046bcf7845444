// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.api.fs.Errno;

/**
 * Error numbers of calls with two names, in the order in which Linux finds them: the ways, the names from left to right,
 * loops, types, what is in a directory that would go. See rename(2), link(2).
 */
final class Predictions {
    static final int NOREPLACE = 1;
    static final int EXCHANGE = 2;

    private Predictions() {}

    static int rename(Place from, Place to, int flags) {
        if (from.wayError() != 0 || to.wayError() != 0) {
            return from.wayError() != 0 ? from.wayError() : to.wayError();
        }
        if (from.oldError() != 0) {
            return from.oldError();
        }
        int target = flags == NOREPLACE ? to.newError() : flags == EXCHANGE ? to.oldError() : to.nameError();
        if (target != 0) {
            return target;
        }
        Node moved = from.node();
        Node replaced = to.node();
        if (moved.isDirectory() && moved.holds(to.directory())) {
            return Errno.EINVAL.number();
        }
        if (replaced != null && replaced.isDirectory() && replaced.holds(from.directory())) {
            return (flags == EXCHANGE ? Errno.EINVAL : Errno.ENOTEMPTY).number();
        }
        return replaced == null || replaced == moved || flags == EXCHANGE ? 0 : replace(moved, replaced);
    }

    private static int replace(Node moved, Node replaced) {
        if (moved.isDirectory() != replaced.isDirectory()) {
            return (moved.isDirectory() ? Errno.ENOTDIR : Errno.EISDIR).number();
        }
        return replaced.children.isEmpty() ? 0 : Errno.ENOTEMPTY.number();
    }

    static int link(Place from, Place to) {
        if (from.oldError() != 0) {
            return from.oldError();
        }
        if (to.newError() != 0) {
            return to.newError();
        }
        return from.node().isDirectory() ? Errno.EPERM.number() : 0;
    }

    static int unlink(Place at) {
        if (at.oldError() != 0) {
            return at.oldError();
        }
        return at.node().isDirectory() ? Errno.EISDIR.number() : 0;
    }

    static int rmdir(Place at) {
        if (at.oldError() != 0) {
            return at.oldError();
        }
        if (!at.node().isDirectory()) {
            return Errno.ENOTDIR.number();
        }
        return at.node().children.isEmpty() ? 0 : Errno.ENOTEMPTY.number();
    }

    /** setxattr(2), removexattr(2) or getxattr(2) of what is there; flags 1 XATTR_CREATE, 2 XATTR_REPLACE. */
    static int xattr(Node node, String name, boolean write, boolean mustExist, boolean mustNot) {
        boolean plain = node.type == Node.REGULAR || node.isDirectory();
        if (name.startsWith("user.") && !plain) {
            return (write ? Errno.EPERM : Errno.ENODATA).number();
        }
        boolean exists = node.xattrs.containsKey(name);
        if (mustNot && exists) {
            return Errno.EEXIST.number();
        }
        return mustExist && !exists ? Errno.ENODATA.number() : 0;
    }

    /** open(2) of a name that must be a regular file, for writing; a symbolic link leads nowhere. */
    static int openFile(Place at) {
        if (at.oldError() != 0) {
            return at.oldError();
        }
        if (at.node().type == Node.LINK) {
            return Errno.ENOENT.number();
        }
        return at.node().isDirectory() ? Errno.EISDIR.number() : 0;
    }
}
