// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.core.volume.WallClock;
import ext4.format.inode.InodeTimes;

/**
 * Sets an inode's times to what its record can hold, so that stat(2) says the same before and after the inode left
 * memory: a record of 128 bytes has no nanoseconds and ends in 2038, others end in 2446. The write lock is held.
 */
public final class Times {
    private Times() {}

    /** Sets the access time. */
    public static void setAtime(Inode inode, long seconds, int nanos) {
        inode.atime = clamp(inode, seconds);
        inode.atimeNanos = nanos(inode, seconds, nanos);
    }

    /** Sets the modification time. */
    public static void setMtime(Inode inode, long seconds, int nanos) {
        inode.mtime = clamp(inode, seconds);
        inode.mtimeNanos = nanos(inode, seconds, nanos);
    }

    /** Sets the change time. */
    public static void setCtime(Inode inode, long seconds, int nanos) {
        inode.ctime = clamp(inode, seconds);
        inode.ctimeNanos = nanos(inode, seconds, nanos);
    }

    /** The inode changes now; {@code now} in nanoseconds since 1970. */
    public static void changed(Inode inode, long now) {
        setCtime(inode, WallClock.seconds(now), WallClock.fraction(now));
    }

    /** The content changes now, and so does the inode. */
    public static void modified(Inode inode, long now) {
        setMtime(inode, WallClock.seconds(now), WallClock.fraction(now));
        changed(inode, now);
    }

    private static long clamp(Inode inode, long seconds) {
        return Math.clamp(seconds, InodeTimes.MIN_SECONDS, latest(inode));
    }

    private static int nanos(Inode inode, long seconds, int nanos) {
        boolean kept = wide(inode) && seconds > InodeTimes.MIN_SECONDS && seconds < InodeTimes.MAX_SECONDS;
        return kept ? nanos : 0;
    }

    private static long latest(Inode inode) {
        return wide(inode) ? InodeTimes.MAX_SECONDS : Integer.MAX_VALUE;
    }

    /** Whether the record's extra fields hold the three extra words of time. */
    private static boolean wide(Inode inode) {
        return inode.extraIsize >= InodeTimes.EXTRA_BYTES;
    }
}
