// SPDX-License-Identifier: Apache-2.0
/**
 * Extended attributes, xattr(7): in the inode record while there is room, else in the inode's attribute block.
 *
 * <p>Locks: whoever reads holds the inode's lock for reading, whoever changes holds it for writing and has a handle open.
 * An attribute block may be shared by several inodes (the kernel does that; here a block is never shared anew): its
 * reference count is changed under a lock of its own, striped by block number, taken with a handle open, under which no
 * inode is locked. Its content does not change while it is shared: a change makes a copy.
 *
 * <p>ACLs (acl(5)) are kept as the attributes they are, with the mode bits in step: setting an access ACL sets the mode,
 * chmod(2) sets the ACL, and what is created in a directory with a default ACL inherits it. Values with an inode of their
 * own (ea_inode) are unsupported; a filesystem with that feature is not mounted.
 *
 * <p>Source of the rules: kernel documentation, {@code filesystems/ext4/attributes.rst}.
 */
package ext4.core.xattr;
