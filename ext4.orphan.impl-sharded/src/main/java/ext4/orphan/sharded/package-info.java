// SPDX-License-Identifier: Apache-2.0
/**
 * The orphan list in stripes, written to disk once a transaction: an inode that is added and removed within one
 * transaction touches neither the superblock, nor a neighbour, nor the orphan file.
 */
package ext4.orphan.sharded;
