// SPDX-License-Identifier: Apache-2.0
/** As fsstress: random changes of a tree of names, each with the very error number that the kernel's ext4 gives. */
package ext4.lab.names;
