// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;

/**
 * i_dtime. It belongs to the orphan store: nothing else may call {@link #set}, and mkfs alone writes records whole.
 *
 * <p>While the inode is on the orphan chain it is the number of the next one (0 at the end), and once the inode is freed
 * the time of its deletion, at least s_inodes_count and never 0, or a checker takes it for a link. It is 0 in a live
 * inode and in one that the orphan file lists.
 */
public final class InodeDtime {
    private InodeDtime() {}

    /** The field as it is: next orphan (unsigned) or deletion time in seconds. */
    public static int get(byte[] b, int off) {
        return Le.i32(b, off + InodeRecord.DTIME);
    }

    public static void set(byte[] b, int off, int value) {
        Le.put32(b, off + InodeRecord.DTIME, value);
    }

    /** A deletion time in seconds as it may be stored: 32 bits, not below the number of inodes (unsigned). */
    public static int deletionTime(long seconds, int inodesCount) {
        long least = Math.max(1, Integer.toUnsignedLong(inodesCount));
        return (int) Math.clamp(seconds, least, 0xFFFF_FFFFL);
    }
}
