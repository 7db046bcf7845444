// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

/**
 * One entry of a listing.
 *
 * @param cookie its position
 * @param ino inode number
 * @param fileType the entry's type byte, 0 if the directory doesn't hold types
 * @param name the name's bytes, a copy
 */
@SuppressWarnings("ArrayRecordComponent")
public record DirItem(long cookie, int ino, int fileType, byte[] name) {}
