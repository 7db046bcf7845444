// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.sys.FileStatus;

/**
 * What a copy has to know of a file, on either side. {@code dev} and {@code ino} tell one file from another: {@code dev} is
 * the host's st_dev, or negative and of one open image.
 */
record Node(
        int mode,
        int nlink,
        int uid,
        int gid,
        long size,
        long atime,
        int atimeNanos,
        long mtime,
        int mtimeNanos,
        int rdevMajor,
        int rdevMinor,
        long dev,
        long ino) {
    private static final int PERMISSIONS = 07777;

    static Node of(Session image, Attributes a) {
        return new Node(
                a.mode,
                a.nlink,
                a.uid,
                a.gid,
                a.size,
                a.atime,
                a.atimeNanos,
                a.mtime,
                a.mtimeNanos,
                a.rdevMajor,
                a.rdevMinor,
                image.id,
                Integer.toUnsignedLong(a.ino));
    }

    static Node of(FileStatus s) {
        return new Node(
                s.mode(),
                s.nlink(),
                s.uid(),
                s.gid(),
                s.size(),
                s.atime(),
                s.atimeNanos(),
                s.mtime(),
                s.mtimeNanos(),
                s.rdevMajor(),
                s.rdevMinor(),
                s.dev(),
                s.ino());
    }

    FileType type() {
        return FileType.of(mode);
    }

    boolean isDirectory() {
        return type() == FileType.DIRECTORY;
    }

    int permissions() {
        return mode & PERMISSIONS;
    }

    boolean isInImage() {
        return dev < 0;
    }

    boolean isSame(Node other) {
        return dev == other.dev && ino == other.ino;
    }
}
