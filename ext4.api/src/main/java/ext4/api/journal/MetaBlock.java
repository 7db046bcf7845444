// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A metadata block in memory, shared by the core's cache, which provides it, and the journal.
 *
 * <p>The current version is the array that {@link #data()} returns. A transaction that closes takes that array as its
 * frozen version; the next {@link Handle#write} then replaces the current version by a copy, so a committing or
 * checkpointing version is never modified except by {@link #seal}. Whoever modifies a block holds a handle and the
 * lock that the core documents for that kind of block, and modifies the array that {@code write} returned.
 */
@ProviderType
public interface MetaBlock {
    /** Physical block number. */
    long pblk();

    /** The current version, one block long. */
    byte[] data();

    /** For the journal, holding this block's monitor: makes {@code version} current. */
    void publish(byte[] version);

    /**
     * For the journal: fills in the checksum of a frozen version just before it leaves memory. Called once a commit by
     * one thread, never under a lock of the journal.
     */
    void seal(byte[] version);

    /** Keeps the block in memory; counted. The journal pins what it will still write. */
    void pin();

    /** Undoes one {@link #pin()}. */
    void unpin();

    /** The journal's own state of this block, null when it has none; written under this block's monitor, and seen without it. */
    Object journalState();

    /** Sets {@link #journalState()}; a journal leaves null behind when it is closed. */
    void journalState(Object state);
}
