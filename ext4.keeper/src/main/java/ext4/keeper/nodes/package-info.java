// SPDX-License-Identifier: Apache-2.0
/** The table of nodes that the kernel knows, in memory that outlives its process. */
package ext4.keeper.nodes;
