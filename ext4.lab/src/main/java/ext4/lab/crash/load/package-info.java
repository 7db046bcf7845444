// SPDX-License-Identifier: Apache-2.0
/**
 * Workloads whose every operation is written down: what the tree looked like after it, where on the device's record it
 * began, and what was promised durable; and what of that a tree found after a crash must be.
 */
package ext4.lab.crash.load;
