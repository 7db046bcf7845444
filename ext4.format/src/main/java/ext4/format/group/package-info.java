// SPDX-License-Identifier: Apache-2.0
/**
 * Block groups: the descriptor ({@link ext4.format.group.GroupDesc}), where the fixed blocks of a group lie
 * ({@link ext4.format.group.GroupLayout}), and the two bitmaps ({@link ext4.format.group.Bitmap},
 * {@link ext4.format.group.BitmapChecksum}).
 *
 * <p>Order when something is allocated or freed in a group: change the bitmap; change the descriptor's counters; seal the
 * bitmap's sum into the descriptor; seal the descriptor. All of it under the group's lock.
 *
 * <p>A group with BLOCK_UNINIT has garbage in its block bitmap: {@link ext4.format.group.GroupLayout#synthesizeBlockBitmap}
 * makes the right one. With INODE_UNINIT the inode bitmap is empty but for its padding:
 * {@link ext4.format.group.GroupLayout#synthesizeInodeBitmap}.
 *
 * <p>Sources: Documentation/filesystems/ext4/group_descr.rst, bitmaps.rst, blockgroup.rst.
 */
package ext4.format.group;
