// SPDX-License-Identifier: Apache-2.0
/**
 * Inodes: in memory ({@link ext4.core.inode.Inode}, {@link ext4.core.inode.InodeCache}), on disk
 * ({@link ext4.core.inode.InodeStore}), their numbers ({@link ext4.core.inode.InodeAllocator}), who uses them
 * ({@link ext4.core.inode.Pins}) and what becomes of those without a name ({@link ext4.core.inode.Evictor}).
 *
 * <p>{@code ino} is an unsigned 32-bit inode number in an {@code int}. Lock order: inode locks by ascending number, then a
 * handle, then a strategy's locks or a group's, then record locks and blocks' monitors.
 */
package ext4.core.inode;
