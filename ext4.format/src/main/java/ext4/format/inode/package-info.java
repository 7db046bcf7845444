// SPDX-License-Identifier: Apache-2.0
/**
 * The inode record: {@code inodeSize} bytes from {@code off} of an inode-table block. {@link ext4.format.inode.InodeRecord}
 * has the plain fields, {@link ext4.format.inode.InodeTimes} the four times, {@link ext4.format.inode.InodeDtime} the
 * deletion time, which belongs to the orphan store alone, {@link ext4.format.inode.InodeFlags} and
 * {@link ext4.format.inode.FileMode} the constants, {@link ext4.format.inode.DeviceNumber} the number of a device node,
 * {@link ext4.format.inode.InodeChecksum} the sums and seeds, {@link ext4.format.inode.BlockMap} the old way to find
 * blocks (extents are in ext4.format.extent).
 *
 * <p>A field beyond byte 128 exists only if the record's i_extra_isize covers it. The accessors that take
 * {@code inodeSize} look at that: one that isn't there reads as zero and is not written. An i_extra_isize larger than the
 * record counts as the record's size, so none leaves it.
 *
 * <p>Every write to a record, its checksum included, is made under the record lock.
 *
 * <p>Source: Documentation/filesystems/ext4/inodes.rst.
 */
package ext4.format.inode;
