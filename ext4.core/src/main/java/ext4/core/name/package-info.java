// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on names: a class each, to be read beside its man page.
 *
 * <p><b>Locks.</b> A verb locks the directories it changes and what their entries name, for writing; {@link
 * ext4.core.name.Locks} takes them by ascending inode number. What an entry names is known only when its directory is
 * locked; if its number is lower than one already locked its lock is only tried, and if another thread has it everything
 * is released, taken anew in ascending order, and the names are looked up again. So no thread ever waits for an inode
 * lock while it holds one of a higher number, whatever the shape of the tree, a corrupt one with cycles included.
 * {@link ext4.core.name.Lookup} and the listings lock one inode at a time, for reading.
 *
 * <p>A rename of a directory into another one first takes the filesystem's rename lock, so that the tree keeps its shape
 * while it is decided whether the directory would move below itself.
 *
 * <p>No handle is open while a lock is waited for. One handle covers a whole verb: the entry, the link counts and the
 * orphan list change in one transaction.
 *
 * <p><b>Pins.</b> What a verb names to its caller is pinned before the lock that keeps the name alive is released.
 */
package ext4.core.name;
