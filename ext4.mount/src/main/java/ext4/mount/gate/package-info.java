// SPDX-License-Identifier: Apache-2.0
/**
 * The gate in front of a mounted filesystem: requests pass it freely, until a part that they need is missing; then they
 * wait here, counted as waiting and not as running, holding no handle and no inode lock.
 */
package ext4.mount.gate;
