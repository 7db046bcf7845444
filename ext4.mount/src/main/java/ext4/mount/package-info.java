// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps filesystems mounted while their parts change. A configuration of the factory PID {@code ext4.mount} is a mount;
 * deleting it, or stopping this bundle, unmounts, and nothing else does but umount(8).
 */
package ext4.mount;
