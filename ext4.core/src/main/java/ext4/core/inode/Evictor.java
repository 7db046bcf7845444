// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** Frees unlinked inodes without pins. */
public interface Evictor {
    /** Frees {@code ino} soon, in a thread of the evictor; waits for nothing, whatever the caller holds. */
    void evict(int ino);

    /**
     * Frees {@code ino} before it returns, in the calling thread, which holds no lock and has no handle open. So who
     * removes a file that nobody uses pays for all of it, and removes side by side don't wait for a third thread.
     */
    void evictNow(int ino);

    /**
     * Waits until all that was handed over before the call is freed. The caller may hold inode locks, but no handle. Does
     * not wait while nothing is freed because there is no journal.
     *
     * @return whether there was anything to wait for
     */
    boolean await();
}
