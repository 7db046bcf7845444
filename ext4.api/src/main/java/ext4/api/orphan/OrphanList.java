// SPDX-License-Identifier: Apache-2.0
package ext4.api.orphan;

import ext4.api.journal.Handle;
import java.util.List;
import java.util.function.LongConsumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The orphan list of one mounted filesystem.
 *
 * <p>The caller of {@link #add} and {@link #remove} holds the inode's lock: different inodes come concurrently, one
 * inode never twice at once. Between add and remove the field i_dtime of the inode's record belongs to the list (the
 * chain's link); outside it belongs to the core, which keeps 0 there for a live inode and the deletion time for a freed
 * one. So a list writes the links of its members and of nobody else.
 *
 * <p>After a journal abort, or where the store is not {@link OrphanStore#persistent()}, only memory changes.
 */
@ConsumerType
public interface OrphanList {
    /**
     * Credits that {@code changes} adds and removes cost a handle at most, those kept for {@link #closing} included.
     * Constant time; called at each start.
     */
    int credits(int changes);

    /** Puts {@code ino} on the list; does nothing if it is on it. The record's block is in memory. */
    void add(Handle handle, int ino);

    /** Takes {@code ino} off the list; does nothing if it is not on it. Returns before the number can be used again. */
    void remove(Handle handle, int ino);

    /**
     * The transaction of {@code handle} is locked: its handles are closed and none of the next is open. Writes into this
     * transaction what the list has put off; must not wait for the device, nor take a lock that is held while waiting
     * for a handle. A throw aborts the journal.
     */
    void closing(Handle handle);

    /** Whether {@link #closing} has anything to write: a transaction with only that is not empty. No lock, may be stale. */
    boolean pending();

    /** All orphans, the chain's members in the chain's order. Only behind the barrier, after {@link #closing}. */
    List<OrphanPlace> present();

    /** Number of orphans on the list; may be stale. */
    long size();

    /** Adds and removes of this list that changed a block on disk, for counters; may be stale. */
    long diskChanges();

    /**
     * From now on {@code nanos} is told how long a caller of {@link #add} or {@link #remove} waited for a lock of the list,
     * by the thread that waited, which may hold that lock still: it must not wait for anything. Called once, before the list
     * is at work. A list that never waits has nothing to tell.
     */
    default void waits(LongConsumer nanos) {}

    /** Releases what the list holds (pins); cannot fail, writes nothing. Nobody is inside the list. */
    void detach();
}
