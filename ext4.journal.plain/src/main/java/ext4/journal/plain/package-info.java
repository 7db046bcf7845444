// SPDX-License-Identifier: Apache-2.0
/**
 * A second journal in the format of JBD2, kept plain on purpose: one lock, no thread but the one that looks at the clock,
 * whoever wants a commit makes it and everybody waits meanwhile. It is there to be read, to be switched to and from, and to
 * show that the contract of a journal does not describe one implementation.
 */
package ext4.journal.plain;
