// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * Attributes of an inode, filled in by a verb. A plain holder that a caller reuses: it belongs to one thread. Times are
 * seconds since 1970 (may be negative) and nanoseconds below 10^9.
 */
public final class Attributes {
    /** Inode number, unsigned. */
    public int ino;
    /** i_generation. */
    public int generation;
    /** File type and permission bits as in stat(2). */
    public int mode;
    /** Number of links; 1 for a directory with more subdirectories than can be counted. */
    public int nlink;
    /** Owner. */
    public int uid;
    /** Group. */
    public int gid;
    /** Device number in the kernel's encoding (major, minor of makedev), 0 for other types. */
    public int rdevMajor;
    /** Minor device number. */
    public int rdevMinor;
    /** Size in bytes. */
    public long size;
    /** Allocated 512-byte sectors. */
    public long sectors;
    /** Access time, seconds. */
    public long atime;
    /** Access time, nanoseconds. */
    public int atimeNanos;
    /** Modification time, seconds. */
    public long mtime;
    /** Modification time, nanoseconds. */
    public int mtimeNanos;
    /** Status change time, seconds. */
    public long ctime;
    /** Status change time, nanoseconds. */
    public int ctimeNanos;
    /** Creation time, seconds; 0 where the record has no room for it. */
    public long crtime;
    /** Creation time, nanoseconds. */
    public int crtimeNanos;
    /** i_flags as chattr(1) shows them: immutable 0x10, append 0x20 ... */
    public int flags;
}
