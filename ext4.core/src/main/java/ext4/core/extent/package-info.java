// SPDX-License-Identifier: Apache-2.0
/**
 * Which blocks a file has: {@link ext4.core.extent.FileMap}, over extent trees and, for old files, block maps. The inode's
 * lock is held throughout. {@code lblk} is a block number inside a file, {@code pblk} one of the filesystem.
 */
package ext4.core.extent;
