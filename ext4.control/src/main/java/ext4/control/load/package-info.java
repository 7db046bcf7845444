// SPDX-License-Identifier: Apache-2.0
/**
 * The workload of the two reports in small: directories of empty files, made and removed side by side, a thread a
 * directory. It runs in a process of its own on a mount point, or in the container on a mount without one.
 */
package ext4.control.load;
