// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;

/**
 * The blocks of one directory.
 *
 * <p>Locks: the directory's inode lock, for reading with the methods without a handle, for writing with the others.
 */
public interface DirFile {
    /** How this filesystem writes directories. */
    DirFormat format();

    /** The directory's inode number. */
    int ino();

    /**
     * Length in blocks.
     *
     * @throws CorruptException if the size is no multiple of the block size, or too large for a directory
     */
    int blocks();

    /** Whether the inode's flag INDEX is set. */
    boolean indexFlag();

    /** Sets or clears the inode's flag INDEX. */
    void indexFlag(Handle handle, boolean set);

    /** The index can't be followed, and the directory is read without it. */
    void indexUnusable(CorruptException evidence);

    /**
     * The current version of a block, checked when it entered memory; not to be changed.
     *
     * @throws CorruptException for a hole, a wrong checksum or a broken chain of entries
     */
    byte[] read(int lblk);

    /** Makes the block part of the handle's transaction and returns the version to change. One credit. */
    byte[] write(Handle handle, int lblk);

    /**
     * Adds a block of zeros at the end and lets the size include it.
     *
     * @return its number, to be followed by {@link #write}
     * @throws ext4.api.fs.ErrnoException ENOSPC; nothing has changed then
     */
    int append(Handle handle);
}
