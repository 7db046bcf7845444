// SPDX-License-Identifier: Apache-2.0
/**
 * Directories: entries, blocks, the hash index (htree), and positions in a scan.
 *
 * <p>A <b>linear</b> directory is a list of blocks of entries ({@link ext4.format.dir.DirEntry},
 * {@link ext4.format.dir.DirBlock}); the first begins with "." and "..". With metadata_csum each block ends with a tail
 * ({@link ext4.format.dir.DirTail}).
 *
 * <p>An <b>indexed</b> directory (inode flag INDEX) has the same leaves, found by the hash of a name. Block 0 is the
 * root ({@link ext4.format.dir.DxRoot}): to a reader without dir_index it looks like "." and a long "..", behind
 * which stand header and slots ({@link ext4.format.dir.DxNode}); nodes below look like one free entry. Slot i leads
 * to the names whose hash is at least its hash and below that of slot i+1; slot 0 has no hash and stands for all
 * lower ones. Bit 0 of a slot's hash says that its leaf continues the hash of the leaf before: names of equal hash
 * didn't fit in one.
 *
 * <p>How an insert grows the index, from these parts:
 * <ol>
 *   <li>{@link ext4.format.dir.DirBlock#insert} says no room: {@link ext4.format.dir.LeafSplit#split} moves the upper
 *       half to a new block and {@link ext4.format.dir.DxNode#insert} adds it behind the slot that led there.
 *   <li>If that node is full, {@link ext4.format.dir.DxNode#moveUpperHalf} first makes a second one (and so upwards).
 *   <li>If the root is full, {@link ext4.format.dir.DxRoot#pushDown} makes its slots a new node below it, up to
 *       {@link ext4.format.dir.DxRoot#maxLevels}.
 *   <li>A linear directory of one full block becomes root and leaf by {@link ext4.format.dir.LeafSplit#toIndexed}.
 * </ol>
 *
 * <p>Block numbers in an index are logical blocks of the directory, 28 bits. Hashes compare unsigned.
 * Source of the rules: kernel documentation, {@code filesystems/ext4/directory.rst}.
 */
package ext4.format.dir;
