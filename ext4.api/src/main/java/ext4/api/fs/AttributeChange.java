// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** What setattr changes: the fields whose bit is in {@link #valid}. A plain holder that a caller reuses. */
public final class AttributeChange {
    /** Set {@link #mode} (permission bits only). */
    public static final int MODE = 1;
    /** Set {@link #uid}. */
    public static final int UID = 2;
    /** Set {@link #gid}. */
    public static final int GID = 4;
    /** Set {@link #size}: truncate(2). */
    public static final int SIZE = 8;
    /** Set the access time to {@link #atime}. */
    public static final int ATIME = 16;
    /** Set the modification time to {@link #mtime}. */
    public static final int MTIME = 32;
    /** Set the access time to now. */
    public static final int ATIME_NOW = 64;
    /** Set the modification time to now. */
    public static final int MTIME_NOW = 128;
    /** Set the status change time to {@link #ctime} instead of now. */
    public static final int CTIME = 256;
    /**
     * Clear set-user-id, set-group-id (where group-executable) and security.capability, as a write or chown does. A
     * transport sets it for each change of owner; on a directory it does nothing.
     */
    public static final int KILL_PRIVILEGES = 512;

    /** Which fields to change. */
    public int valid;
    /** Permission bits. */
    public int mode;
    /** Owner. */
    public int uid;
    /** Group. */
    public int gid;
    /** Size in bytes. */
    public long size;
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
}
