// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code ext4}. A mount is always a container in a process of its own; mkfs, info and check run in the
 * command's process. Messages read like those of mount(8): {@code ext4: COMMAND: what: why}, one line.
 */
package ext4.launcher;
