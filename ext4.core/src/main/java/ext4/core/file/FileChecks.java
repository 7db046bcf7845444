// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.inode.Inode;
import ext4.format.inode.InodeFlags;

/**
 * What forbids to change contents. Immutable and append-only files are guarded at each change, since no open(2) reaches
 * the filesystem. The inode's lock is held.
 */
final class FileChecks {
    private FileChecks() {}

    /** EISDIR for a directory, EINVAL for anything else that is no regular file; ESTALE if it was freed. */
    static void regular(Inode inode) {
        inode.checkLive();
        if (!inode.isRegular()) {
            throw ErrnoException.of(inode.isDirectory() ? Errno.EISDIR : Errno.EINVAL);
        }
    }

    /** EPERM for an immutable file, and for an append-only one unless it is appended to. */
    static void mayChange(Inode inode, boolean append) {
        if (inode.hasFlag(InodeFlags.IMMUTABLE) || inode.hasFlag(InodeFlags.APPEND) && !append) {
            throw ErrnoException.of(Errno.EPERM);
        }
    }

    /** EINVAL for a negative offset or length, and for what no file can reach. */
    static void range(long offset, long length) {
        if (offset < 0 || length < 0 || offset + length < 0) {
            throw ErrnoException.of(Errno.EINVAL);
        }
    }
}
