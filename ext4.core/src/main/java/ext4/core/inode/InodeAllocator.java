// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;

/** Allocates and frees inode numbers. */
public final class InodeAllocator {
    /**
     * Credits of {@link #allocate}: inode bitmap, group descriptor, inode-table block, and the block bitmap with its
     * descriptor where the group's block bitmap was uninitialised.
     */
    public static final int ALLOCATE_CREDITS = 5;
    /** Credits of {@link #free}: inode bitmap, group descriptor. */
    public static final int FREE_CREDITS = 2;

    /**
     * A new inode, its record written with nlink 1 (2 for a directory): held, and its write lock taken by the calling
     * thread, so nobody sees it before the caller is done and releases both. Owner, group (of a set-group-id parent),
     * inherited flags, times, generation and extent root are set; a caller that fails afterwards undoes with {@link #free}
     * under the same handle.
     *
     * @param parent directory it will stand in, read or write lock held
     * @param mode type and permission bits, umask already applied
     * @throws ext4.api.fs.ErrnoException ENOSPC without a change
     */
    public Inode allocate(Handle handle, Inode parent, int mode, Credentials who) {
        throw new UnsupportedOperationException();
    }

    /**
     * Frees the number of {@code inode}, whose blocks are freed already: writes the record with the deletion time, clears
     * the bit. The inode is off the orphan list.
     */
    public void free(Handle handle, Inode inode) {
        throw new UnsupportedOperationException();
    }
}
