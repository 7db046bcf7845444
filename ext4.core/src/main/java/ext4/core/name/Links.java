// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.inode.Inode;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/**
 * Link counts. A file has at most 65000. A directory counts itself, "." and the ".." of each subdirectory; with dir_nlink
 * an indexed one that would exceed 65000 says 1 from then on, for "too many to count". Write locks are held.
 */
final class Links {
    private Links() {}

    /** EMLINK if a file can't have one more. */
    static void checkFile(Inode file) {
        if (file.nlink >= InodeRecord.MAX_LINKS) {
            throw ErrnoException.of(Errno.EMLINK);
        }
    }

    /** EMLINK if a directory can't have one more subdirectory. */
    static void checkSubdirectory(Inode directory, Superblock sb) {
        boolean uncounted =
                sb.has(Feature.DIR_NLINK) && sb.has(Feature.DIR_INDEX) && directory.hasFlag(InodeFlags.INDEX);
        if (directory.nlink >= InodeRecord.MAX_LINKS && !uncounted) {
            throw ErrnoException.of(Errno.EMLINK);
        }
    }

    /** One more subdirectory, which {@link #checkSubdirectory} allowed. */
    static void addSubdirectory(Inode directory) {
        if (directory.nlink == 1 || directory.nlink >= InodeRecord.MAX_LINKS) {
            directory.nlink = 1;
        } else {
            directory.nlink++;
        }
    }

    /** One subdirectory fewer. */
    static void dropSubdirectory(Inode directory) {
        if (directory.nlink > 2) {
            directory.nlink--;
        }
    }

    /** One link of a file fewer; a count that was 0 already, on a corrupt filesystem, stays. */
    static void dropFile(Inode file) {
        if (file.nlink > 0) {
            file.nlink--;
        }
    }
}
