// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

/** Is told what a walk over the blocks of an inode meets, in order of logical blocks. */
interface MapSink {
    /** Data blocks, all of them within the filesystem. {@code lblk} fits in 32 bits. */
    void data(long lblk, long pblk, int count, boolean unwritten);

    /** A block of the map itself; whether the walk shall go into it. */
    boolean meta(long pblk);

    /** Something is wrong; the walk leaves out what it concerns. */
    void bad(String format, Object... args);
}
