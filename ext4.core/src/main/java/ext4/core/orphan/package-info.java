// SPDX-License-Identifier: Apache-2.0
/**
 * Orphans: the places on disk as a strategy sees them ({@link ext4.core.orphan.CoreOrphanStore}), reading and processing
 * them at mount, which is the core's whatever strategy is at work, and the live replacement of the strategy
 * ({@link ext4.core.orphan.OrphanKeeper}).
 */
package ext4.core.orphan;
