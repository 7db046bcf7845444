// SPDX-License-Identifier: Apache-2.0
/**
 * The control socket, both ends. A UNIX socket a mount, in a directory that only its owner can enter.
 *
 * <p>A connection carries one request, a line of words separated by blanks, and the reply: any number of lines
 * {@code =TEXT}, then {@code .} for success, or {@code !REASON}.
 */
package ext4.control.socket;
