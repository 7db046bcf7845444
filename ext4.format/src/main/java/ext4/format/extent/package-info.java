// SPDX-License-Identifier: Apache-2.0
/**
 * The extent tree's nodes: {@link ext4.format.extent.ExtentNode} reads and changes one,
 * {@link ext4.format.extent.ExtentCheck} judges one when it enters memory. The tree itself (descending, splitting,
 * allocating) is the core's.
 *
 * <p>A node begins at {@code off}: in an inode record at {@link ext4.format.inode.InodeRecord#iBlock}, 60 bytes without
 * checksum; else at byte 0 of a block, with its checksum behind the room of eh_max entries.
 *
 * <p>Source: Documentation/filesystems/ext4/ifork.rst.
 */
package ext4.format.extent;
