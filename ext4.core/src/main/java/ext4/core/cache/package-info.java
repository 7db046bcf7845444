// SPDX-License-Identifier: Apache-2.0
/**
 * Metadata blocks in memory. {@link ext4.core.cache.BlockCache} loads, checks and evicts; {@link ext4.core.cache.CachedBlock}
 * is shared with the journal; a {@link ext4.core.cache.BlockKind} knows what a block holds. File contents are not cached
 * here: they go straight between the device and the caller's buffer.
 *
 * <p>{@code pblk} is a physical block number.
 */
package ext4.core.cache;
