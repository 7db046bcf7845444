// SPDX-License-Identifier: Apache-2.0
/** The kernel as judge: one sequence of operations on the kernel's ext4 and on this one, compared at each step. */
package ext4.lab.diff;
