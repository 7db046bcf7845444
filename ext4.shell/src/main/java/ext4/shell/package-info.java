// SPDX-License-Identifier: Apache-2.0
/**
 * Gogo commands of the scope {@code ext4}. They know the services of {@link ext4.api.mount} and Configuration Admin, and
 * nothing else about mounts. A command that can't do what it is asked throws
 * {@link ext4.api.mount.MountException} with the reason; the shell shows it.
 */
package ext4.shell;
