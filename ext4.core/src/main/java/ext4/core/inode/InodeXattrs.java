// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.journal.Handle;

/** What freeing and changing inodes asks of extended attributes. Calls hold the inode's write lock. */
public interface InodeXattrs {
    /** Credits of {@link #freeBlock}: the attribute block or, if it is the last user's, bitmap and descriptor. */
    int FREE_CREDITS = 3;
    /** Credits of {@link #removeCapability}: record, old and new attribute block with bitmap and descriptor. */
    int CAPABILITY_CREDITS = 8;

    /** Gives up the attribute block of an inode that is being freed, and sets {@link Inode#xattrBlock} to 0. */
    void freeBlock(Handle handle, Inode inode);

    /** Whether there is a security.capability attribute. */
    boolean hasCapability(Inode inode);

    /** The permission bits of the mode changed: lets an access ACL follow. {@link #CAPABILITY_CREDITS}. */
    void modeChanged(Handle handle, Inode inode);

    /** Removes security.capability. */
    void removeCapability(Handle handle, Inode inode);
}
