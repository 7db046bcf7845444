// SPDX-License-Identifier: Apache-2.0
/**
 * Mounting and unmounting, and the filesystem as the API has it. {@link ext4.core.mount.Ext4CoreProvider} is the service,
 * all else is plain Java.
 */
package ext4.core.mount;
