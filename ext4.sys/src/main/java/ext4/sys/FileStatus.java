// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * What statx(2) tells of a file. Times are seconds since 1970 and nanoseconds.
 *
 * @param mode type and permission bits
 * @param nlink links
 * @param uid owner
 * @param gid group
 * @param ino inode number
 * @param size bytes
 * @param blocks allocated, 512-byte sectors
 * @param atime last access, seconds
 * @param atimeNanos last access, nanoseconds
 * @param mtime last modification, seconds
 * @param mtimeNanos last modification, nanoseconds
 * @param ctime last change of the inode, seconds
 * @param ctimeNanos last change of the inode, nanoseconds
 * @param rdevMajor of a device node
 * @param rdevMinor of a device node
 * @param devMajor of the filesystem that holds it
 * @param devMinor of the filesystem that holds it
 */
public record FileStatus(
        int mode,
        int nlink,
        int uid,
        int gid,
        long ino,
        long size,
        long blocks,
        long atime,
        int atimeNanos,
        long mtime,
        int mtimeNanos,
        long ctime,
        int ctimeNanos,
        int rdevMajor,
        int rdevMinor,
        int devMajor,
        int devMinor) {
    /** Size of struct statx; its layout is the same on every architecture. */
    static final int STATX_SIZE = 256;
    /** STATX_BASIC_STATS. */
    static final int STATX_BASIC = 0x7FF;

    static FileStatus of(MemorySegment statx) {
        return new FileStatus(
                Short.toUnsignedInt(statx.get(JAVA_SHORT, 28)),
                statx.get(JAVA_INT, 16),
                statx.get(JAVA_INT, 20),
                statx.get(JAVA_INT, 24),
                statx.get(JAVA_LONG, 32),
                statx.get(JAVA_LONG, 40),
                statx.get(JAVA_LONG, 48),
                statx.get(JAVA_LONG, 64),
                statx.get(JAVA_INT, 72),
                statx.get(JAVA_LONG, 112),
                statx.get(JAVA_INT, 120),
                statx.get(JAVA_LONG, 96),
                statx.get(JAVA_INT, 104),
                statx.get(JAVA_INT, 128),
                statx.get(JAVA_INT, 132),
                statx.get(JAVA_INT, 136),
                statx.get(JAVA_INT, 140));
    }

    /** st_dev as stat(2) has it: the C library's makedev(3). */
    public long dev() {
        long major = Integer.toUnsignedLong(devMajor);
        long minor = Integer.toUnsignedLong(devMinor);
        return (major & 0xFFF) << 8 | (major & 0xFFFFF000L) << 32 | minor & 0xFF | (minor & 0xFFFFFF00L) << 12;
    }
}
