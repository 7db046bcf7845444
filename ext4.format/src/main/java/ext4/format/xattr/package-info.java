// SPDX-License-Identifier: Apache-2.0
/**
 * Extended attributes, in the inode record and in the attribute block.
 *
 * <p>Both hold a list of entries ({@link ext4.format.xattr.XattrEntry}: u8 name_len, u8 name_index, u16 value_offs, u32
 * value_inum, u32 value_size, u32 hash, name padded to 4) that ends with four zero bytes, and values, padded to 4 with
 * zeros, that grow down from the end. {@link ext4.format.xattr.XattrArea} says where;
 * {@link ext4.format.xattr.XattrList} reads and changes. The two differ:
 * <ul>
 *   <li>In the inode: u32 magic behind the record's extra fields, then the list; value offsets count from the first
 *       entry; entry hashes are 0, except of values that have an inode of their own.
 *   <li>In the block: a header of 32 bytes ({@link ext4.format.xattr.XattrBlock}); value offsets count from the block's
 *       start; entries are sorted by index, name length and name bytes; hashes are set; one block may serve several
 *       inodes (h_refcount) and is copied before a change.
 * </ul>
 * A value that is too big may be the content of an inode (feature ea_inode): value_inum is set and value_offs is 0.
 * Source of the rules: kernel documentation, {@code filesystems/ext4/attributes.rst} and {@code eainode.rst}.
 */
package ext4.format.xattr;
