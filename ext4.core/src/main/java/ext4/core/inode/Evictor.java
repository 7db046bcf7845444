// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** Frees unlinked inodes without pins. */
public interface Evictor {
    /** Frees {@code ino} soon, in a thread of the evictor; waits for nothing, whatever the caller holds. */
    void evict(int ino);

    /**
     * Waits until all that was handed over before the call is freed. The caller may hold inode locks, but no handle.
     *
     * @return whether there was anything to wait for
     */
    boolean await();
}
