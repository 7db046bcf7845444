// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** Frees unlinked inodes without pins. */
public interface Evictor {
    /** Frees {@code ino} soon, in a thread of the evictor; no lock or handle needed nor waited for. */
    void evict(int ino);

    /** Waits until all that was handed over before the call is freed. */
    void await();
}
