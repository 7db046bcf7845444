// SPDX-License-Identifier: Apache-2.0
/**
 * The workloads of the two reports, the same for every filesystem: through system calls on a mount point, or through the
 * verbs in the same process.
 */
package ext4.bench.load;
