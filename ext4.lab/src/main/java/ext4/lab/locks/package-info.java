// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ext4 lab locks}: records in which order locks are taken while threads work on a filesystem and its parts are
 * replaced, and holds that against the tables under "Lock order" in ARCHITECTURE.md.
 *
 * <p>The code under test knows nothing of it: {@link ext4.lab.locks.WatchedLoader} loads its classes anew and puts calls of
 * {@link ext4.lab.locks.LockOrder} around what takes and releases a lock. Nobody else pays for it.
 *
 * <p>As in the kernel's lockdep, an order counts by kinds of locks and not by single locks: two that are taken in both orders
 * are a mistake even if no two threads ever met there.
 */
package ext4.lab.locks;
