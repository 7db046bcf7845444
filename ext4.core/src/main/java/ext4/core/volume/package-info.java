// SPDX-License-Identifier: Apache-2.0
/**
 * What all parts of a mounted filesystem share ({@link ext4.core.volume.Volume}): device, geometry, cache, journal, clock,
 * superblock, the errors= policy, and the sums of credits that several verbs use.
 */
package ext4.core.volume;
