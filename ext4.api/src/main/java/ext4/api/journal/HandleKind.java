// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

/** What a handle is for; used in counters and messages. */
public enum HandleKind {
    /** One inode record: setattr, times, xattrs in the inode. */
    INODE,
    /** Directory entries and the inodes they name. */
    NAMESPACE,
    /** Blocks for data being written or preallocated. */
    ALLOCATE,
    /** Blocks being given back. */
    TRUNCATE,
    /** The last use of an unlinked inode has ended. */
    EVICT,
    /** Extended attributes. */
    XATTR,
    /** Superblock and mount state. */
    SUPER,
    /** Orphan clean-up at mount. */
    RECOVERY
}
