// SPDX-License-Identifier: Apache-2.0
/**
 * The orphan file's blocks ({@link ext4.format.orphan.OrphanBlock}). The other place of orphans, the chain, is
 * {@link ext4.format.superblock.SuperblockFields#lastOrphan} and {@link ext4.format.inode.InodeDtime}.
 *
 * <p>Source: Documentation/filesystems/ext4/orphan.rst.
 */
package ext4.format.orphan;
