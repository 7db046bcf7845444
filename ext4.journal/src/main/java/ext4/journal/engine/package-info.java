// SPDX-License-Identifier: Apache-2.0
/**
 * The transaction engine: handles, the gate that counts them, the commit thread, the barrier. What becomes of a frozen
 * transaction is a {@link ext4.journal.engine.CommitSink}'s business.
 *
 * <p>Lock order, outermost first: inode locks of the core; an open handle; locks of an orphan list; a block's monitor;
 * the innermost locks of the host (record locks, cache pins); {@code HandleGate.lock} and {@code Committer.lock}, under
 * which nothing is called. No lock of the journal is held while a frozen version is sealed, while the host is told
 * anything, or while the device works, except those that only serialise writers of the log or of checkpoints.
 */
package ext4.journal.engine;
