// SPDX-License-Identifier: Apache-2.0
/**
 * The journal: transactions over metadata blocks, commit, checkpoint and the barrier behind which a part of a mounted
 * filesystem is replaced.
 *
 * <p>Units: {@code pblk} is a physical block number of the filesystem, {@code lblk} a block number inside a file,
 * {@code tid} a transaction number that grows by one a transaction. A <em>credit</em> is the right to add one block to
 * a transaction.
 *
 * <p>Locks are taken before handles: a thread that holds a {@link ext4.api.journal.Handle} must not wait for an inode,
 * directory or gate lock, nor call {@link ext4.api.journal.Journal#start}.
 */
@Export
@Version("1.2.0")
package ext4.api.journal;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
