// SPDX-License-Identifier: Apache-2.0
/**
 * Block groups and what is allocated in them: blocks ({@link ext4.core.alloc.BlockAllocator}) and inode numbers
 * ({@link ext4.core.alloc.InodeBitmaps}). Each group has a lock of its own, taken below inode locks and with a handle open;
 * totals are striped counters. Nothing here is shared by all operations.
 *
 * <p>The checksum of a bitmap stands in the group's descriptor. It is made once a transaction, when that is closed
 * ({@link ext4.core.alloc.GroupTable#closing}), the descriptor's own when its block is sealed.
 */
package ext4.core.alloc;
