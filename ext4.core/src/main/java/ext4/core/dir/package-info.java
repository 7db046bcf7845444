// SPDX-License-Identifier: Apache-2.0
/**
 * Directories: finding, adding, removing and listing names, linear and indexed (htree).
 *
 * <p>All of it works on a {@link ext4.core.dir.DirFile}, the blocks of one directory. Locks: whoever only reads holds the
 * directory's inode lock for reading, so lookups in one directory run side by side; whoever changes holds it for writing
 * and has a handle open. Nothing here takes a lock.
 *
 * <p>Every block was checked when it entered memory ({@link ext4.core.dir.DirBlockCheck}); an index is checked again
 * where it is followed, in constant time a block. An index that cannot be followed is not used for reading: the blocks
 * are searched one after the other, as the kernel does. Through such an index nothing is written.
 *
 * <p>{@code lblk} is a block of the directory, {@code ino} an unsigned inode number. Source of the rules: kernel
 * documentation, {@code filesystems/ext4/directory.rst}.
 */
package ext4.core.dir;
