// SPDX-License-Identifier: Apache-2.0
/**
 * Structures and numbers of the FUSE protocol 7.45, in the machine's byte order, named as in {@code linux/fuse.h}.
 * Constants are byte offsets from the beginning of the structure; {@code SIZE} is its length in bytes.
 */
package ext4.fuse.wire;
