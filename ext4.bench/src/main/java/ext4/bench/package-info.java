// SPDX-License-Identifier: Apache-2.0
/** The benchmark: the workloads of the two reports, on this filesystem, in-process and mounted, and on its peers. */
package ext4.bench;
