// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** Inodes in memory. */
public final class InodeCache {
    /**
     * The inode, held until {@link #put}.
     *
     * @throws ext4.api.fs.ErrnoException ESTALE if it is not in use
     */
    public Inode get(int ino) {
        throw new UnsupportedOperationException();
    }

    /** Ends a hold. */
    public void put(Inode inode) {
        throw new UnsupportedOperationException();
    }
}
