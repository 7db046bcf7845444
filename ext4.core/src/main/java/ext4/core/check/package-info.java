// SPDX-License-Identifier: Apache-2.0
/**
 * The read-only checker. {@link ext4.core.check.Check} runs the passes of e2fsck one after the other over a common
 * {@code State}: pass 0 superblock, descriptors ({@code GroupCheck}), journal, resize inode; 1 inodes
 * ({@code InodePass}, {@code InodeCheck}, {@code FileBlocks}); 2 directories ({@code DirPass}, {@code DirEntries},
 * {@code HtreeCheck}); 3 connectivity; 4 links; 5 bitmaps and counts; at last the orphan file.
 *
 * <p>Whatever concerns which bytes mean what is asked of ext4.format; here is only what must agree with what.
 */
package ext4.core.check;
