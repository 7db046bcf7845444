// SPDX-License-Identifier: Apache-2.0
/**
 * The superblock: 1024 bytes at byte 1024 of the device and copies of it at the front of some groups.
 *
 * <p>How a mount uses it, in this order: {@link ext4.format.superblock.Superblock#checkIdentity} (is it ext4, and not
 * damaged), {@link ext4.format.superblock.Superblock#features} (refuse by name what is not supported, before geometry
 * that may mean something else is judged), {@link ext4.format.superblock.Superblock#parse} (immutable, validated),
 * {@link ext4.format.superblock.Superblock#checkDevice}. After journal replay read and parse again.
 *
 * <p>What changes while mounted is read and written in the raw bytes through
 * {@link ext4.format.superblock.SuperblockFields}, then {@link ext4.format.superblock.SuperblockFields#seal}ed; bytes
 * nobody knows stay as they are. {@link ext4.format.superblock.SuperblockInit} writes the fixed fields for mkfs.
 *
 * <p>Source: Documentation/filesystems/ext4/super.rst.
 */
package ext4.format.superblock;
