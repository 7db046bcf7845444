// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;

/**
 * The four times of an inode record: seconds since 1970 and nanoseconds. With its extra word a time covers -2^31 to
 * 2^34 - 2^31 - 1 seconds (1901 to 2446) with nanoseconds; without (records of 128 bytes) -2^31 to 2^31 - 1, no
 * nanoseconds. A time beyond is clamped to the end, with zero nanoseconds.
 */
public final class InodeTimes {
    /** The earliest second any record holds. */
    public static final long MIN_SECONDS = Integer.MIN_VALUE;
    /** The latest second a record with extra words holds. */
    public static final long MAX_SECONDS = (1L << 34) + Integer.MIN_VALUE - 1;

    /** An i_extra_isize of at least this covers the extra words of change, modification and access time. */
    public static final int EXTRA_BYTES = 16;

    private static final int MAX_NANOS = 999_999_999;

    static final int ATIME = 0x08;
    static final int CTIME = 0x0C;
    static final int MTIME = 0x10;
    static final int CTIME_EXTRA = 0x84;
    static final int MTIME_EXTRA = 0x88;
    static final int ATIME_EXTRA = 0x8C;
    static final int CRTIME = 0x90;
    static final int CRTIME_EXTRA = 0x94;

    private InodeTimes() {}

    /** Last access. */
    public static long atime(byte[] b, int off, int inodeSize) {
        return seconds(b, off, inodeSize, ATIME, ATIME_EXTRA);
    }

    public static int atimeNanos(byte[] b, int off, int inodeSize) {
        return nanos(b, off, inodeSize, ATIME_EXTRA);
    }

    public static void setAtime(byte[] b, int off, int inodeSize, long seconds, int nanos) {
        put(b, off, inodeSize, ATIME, ATIME_EXTRA, seconds, nanos);
    }

    /** Last change of the inode. */
    public static long ctime(byte[] b, int off, int inodeSize) {
        return seconds(b, off, inodeSize, CTIME, CTIME_EXTRA);
    }

    public static int ctimeNanos(byte[] b, int off, int inodeSize) {
        return nanos(b, off, inodeSize, CTIME_EXTRA);
    }

    public static void setCtime(byte[] b, int off, int inodeSize, long seconds, int nanos) {
        put(b, off, inodeSize, CTIME, CTIME_EXTRA, seconds, nanos);
    }

    /** Last change of the contents. */
    public static long mtime(byte[] b, int off, int inodeSize) {
        return seconds(b, off, inodeSize, MTIME, MTIME_EXTRA);
    }

    public static int mtimeNanos(byte[] b, int off, int inodeSize) {
        return nanos(b, off, inodeSize, MTIME_EXTRA);
    }

    public static void setMtime(byte[] b, int off, int inodeSize, long seconds, int nanos) {
        put(b, off, inodeSize, MTIME, MTIME_EXTRA, seconds, nanos);
    }

    /** Whether the record holds a time of birth. */
    public static boolean hasCrtime(byte[] b, int off, int inodeSize) {
        return InodeRecord.covers(b, off, inodeSize, CRTIME, 4);
    }

    /** Birth; 0 if the record has none. */
    public static long crtime(byte[] b, int off, int inodeSize) {
        return hasCrtime(b, off, inodeSize) ? seconds(b, off, inodeSize, CRTIME, CRTIME_EXTRA) : 0;
    }

    public static int crtimeNanos(byte[] b, int off, int inodeSize) {
        return nanos(b, off, inodeSize, CRTIME_EXTRA);
    }

    public static void setCrtime(byte[] b, int off, int inodeSize, long seconds, int nanos) {
        if (hasCrtime(b, off, inodeSize)) {
            put(b, off, inodeSize, CRTIME, CRTIME_EXTRA, seconds, nanos);
        }
    }

    private static long seconds(byte[] b, int off, int inodeSize, int low, int extra) {
        long seconds = Le.i32(b, off + low);
        return InodeRecord.covers(b, off, inodeSize, extra, 4)
                ? seconds + ((Le.u32(b, off + extra) & 3) << 32)
                : seconds;
    }

    private static int nanos(byte[] b, int off, int inodeSize, int extra) {
        return InodeRecord.covers(b, off, inodeSize, extra, 4) ? Math.min(Le.i32(b, off + extra) >>> 2, MAX_NANOS) : 0;
    }

    private static void put(byte[] b, int off, int inodeSize, int low, int extra, long seconds, int nanos) {
        boolean wide = InodeRecord.covers(b, off, inodeSize, extra, 4);
        long kept = Math.clamp(seconds, MIN_SECONDS, wide ? MAX_SECONDS : Integer.MAX_VALUE);
        Le.put32(b, off + low, kept);
        if (wide) {
            int epoch = (int) (kept - (int) kept >>> 32) & 3;
            Le.put32(b, off + extra, (kept == seconds ? nanos << 2 : 0) | epoch);
        }
    }
}
