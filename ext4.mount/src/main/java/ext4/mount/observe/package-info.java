// SPDX-License-Identifier: Apache-2.0
/**
 * What the orphan strategies of a mount cost: how long adds, removes and waits for locks take, and how evenly the threads
 * of the load get their turns. Kept by the strategy's name, so a switch and back goes on with the same figures.
 *
 * <p>It sits around the list that a strategy makes, so neither core nor strategy knows of it. No lock and no counter is
 * shared by all threads.
 */
package ext4.mount.observe;
