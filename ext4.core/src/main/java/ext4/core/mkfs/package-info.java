// SPDX-License-Identifier: Apache-2.0
/**
 * Makes a filesystem as mke2fs(8) does, with its defaults: {@link ext4.core.mkfs.Mkfs#run}.
 *
 * <p>The work goes in one direction: {@link ext4.core.mkfs.MkfsFeatures} settles the features,
 * {@link ext4.core.mkfs.Geometry} the sizes, {@link ext4.core.mkfs.Placement} where bitmaps and inode tables lie,
 * {@link ext4.core.mkfs.Space} what is free besides; {@link ext4.core.mkfs.SystemFiles} makes the first inodes,
 * {@link ext4.core.mkfs.GroupWriter} the groups, and the primary superblock is written last, so an interrupted run
 * leaves nothing that could be mounted. One thread; nothing here is shared.
 */
package ext4.core.mkfs;
