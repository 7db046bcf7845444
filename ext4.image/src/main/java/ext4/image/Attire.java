// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;

/**
 * Gives a copy the attributes of its source, once its content is there: owner first, since a change of owner takes
 * set-id bits and capabilities away, then extended attributes, then the mode, which an ACL changes, then times.
 */
final class Attire {
    private static final int SET_ID = 06000;
    private static final int RWX = 0777;
    private static final String ACL = "system.posix_acl_";

    private final Copying how;
    private final CopyListener listener;

    Attire(Copying how, CopyListener listener) {
        this.how = how;
        this.listener = listener;
    }

    void put(Node node, Grip from, Grip to) throws IOException {
        boolean symlink = node.type() == FileType.SYMLINK;
        if (!how.archive()) {
            if (!symlink) {
                to.setPermissions(node.permissions() & RWX & ~how.umask());
            }
            return;
        }
        boolean owned = to.setOwner(node.uid(), node.gid());
        xattrs(from, to);
        if (!symlink) {
            to.setPermissions(owned ? node.permissions() : node.permissions() & ~SET_ID);
        }
        to.setTimes(node);
    }

    /** What only the superuser may set, or the target can't hold at all, is left out, as cp -a leaves it out. */
    private void xattrs(Grip from, Grip to) throws IOException {
        List<byte[]> names = from.xattrNames();
        for (byte[] name : names) {
            byte[] value = from.xattr(name);
            if (value != null) {
                xattr(to, name, value);
            }
        }
        for (byte[] name : to.xattrNames()) {
            boolean inherited = new String(name, StandardCharsets.ISO_8859_1).startsWith(ACL);
            if (inherited && names.stream().noneMatch(kept -> Arrays.equals(kept, name))) {
                to.removeXattr(name);
            }
        }
    }

    private void xattr(Grip to, byte[] name, byte[] value) throws IOException {
        try {
            to.setXattr(name, value);
        } catch (AccessDeniedException e) {
            return;
        } catch (FileSystemException e) {
            if (!Errno.EOPNOTSUPP.text().equals(e.getReason())) {
                FileSystemException told = new FileSystemException(
                        e.getFile(), null, ByteNames.escapeForMessage(ByteNames.decode(name)) + ": " + e.getReason());
                told.initCause(e.getCause());
                if (Errors.isFatal(told)) {
                    throw told;
                }
                listener.failed(told);
            }
        }
    }
}
