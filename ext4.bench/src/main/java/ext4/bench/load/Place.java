// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

/** Where a load works: a mount point, or a filesystem in this process. Any thread may call. */
public interface Place {
    /** Hands for a task, to be used by the calling thread. */
    Hands hands(int task);

    /** Inodes in use. */
    long usedInodes();

    /** Returns when inodes whose last name was removed are free: no more than {@code used} are in use. */
    void awaitUsedInodes(long used);

    /** Writes everything out. */
    void settle();
}
