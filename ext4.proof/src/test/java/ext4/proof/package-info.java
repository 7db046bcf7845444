// SPDX-License-Identifier: Apache-2.0
/**
 * The parts put together on a plain class path and brought before their judges: a crash at every device event, e2fsck,
 * the kernel.
 */
package ext4.proof;
