// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;

/** Which physical blocks a file has. The caller holds the inode's lock, the write lock for changes. */
public final class FileMap {
    /** Physical block of a written block, 0 for a hole or an unwritten block. */
    public long map(Inode inode, int lblk) {
        throw new UnsupportedOperationException();
    }

    /** The run that begins at {@code lblk}: allocated or hole; a hole's count may reach past the end of the file. */
    public void find(Inode inode, long lblk, Mapping out) {
        throw new UnsupportedOperationException();
    }

    /**
     * A metadata block of a file (directory), held for the caller.
     *
     * @throws ext4.api.fs.CorruptException if it is a hole
     */
    public CachedBlock block(Inode inode, int lblk, BlockKind kind) {
        throw new UnsupportedOperationException();
    }

    /** Credits of {@link #append}: the block, and what allocating and mapping it costs. */
    public int appendCredits(Inode inode) {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds one block of zeros at the end of a directory: allocates and maps it, raises size and sectors and writes the
     * record. The block is held for the caller and already part of the handle's transaction (its array is
     * {@code handle.write(block)}). Nothing has changed if it throws ENOSPC.
     */
    public CachedBlock append(Handle handle, Credentials who, Inode inode, BlockKind kind) {
        throw new UnsupportedOperationException();
    }
}
