// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Attributes;
import ext4.sys.FileStatus;

/**
 * What stat(2) tells, of either side.
 *
 * @param ino inode number
 * @param mode type and permissions
 * @param nlink links
 * @param uid owner
 * @param gid group
 * @param major of a device node
 * @param minor of a device node
 * @param size bytes
 * @param blocks 512-byte sectors
 * @param atime nanoseconds since 1970, as a count of seconds
 * @param mtime the same
 * @param ctime the same
 */
record Status(
        long ino,
        int mode,
        int nlink,
        int uid,
        int gid,
        int major,
        int minor,
        long size,
        long blocks,
        Time atime,
        Time mtime,
        Time ctime) {
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int SYMLINK = 0120000;

    /** A moment. */
    record Time(long seconds, int nanos) implements Comparable<Time> {
        @Override
        public int compareTo(Time o) {
            return seconds != o.seconds ? Long.compare(seconds, o.seconds) : Integer.compare(nanos, o.nanos);
        }

        @Override
        public String toString() {
            return String.format("%d.%09d", seconds, nanos);
        }
    }

    static Status of(FileStatus s) {
        return new Status(
                s.ino(),
                s.mode(),
                s.nlink(),
                s.uid(),
                s.gid(),
                s.rdevMajor(),
                s.rdevMinor(),
                s.size(),
                s.blocks(),
                new Time(s.atime(), s.atimeNanos()),
                new Time(s.mtime(), s.mtimeNanos()),
                new Time(s.ctime(), s.ctimeNanos()));
    }

    static Status of(Attributes a) {
        return new Status(
                Integer.toUnsignedLong(a.ino),
                a.mode,
                a.nlink,
                a.uid,
                a.gid,
                a.rdevMajor,
                a.rdevMinor,
                a.size,
                a.sectors,
                new Time(a.atime, a.atimeNanos),
                new Time(a.mtime, a.mtimeNanos),
                new Time(a.ctime, a.ctimeNanos));
    }

    boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    boolean isSymlink() {
        return (mode & TYPE) == SYMLINK;
    }

    /** What must be the same on both sides right after a step. */
    String plain() {
        return "mode=" + Integer.toOctalString(mode) + " nlink=" + nlink + " uid=" + uid + " gid=" + gid + " size="
                + size + (major == 0 && minor == 0 ? "" : " rdev=" + major + ":" + minor);
    }
}
