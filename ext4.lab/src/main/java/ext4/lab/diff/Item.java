// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

/**
 * A name of a tree and all that is known of it.
 *
 * @param status what stat(2) tells
 * @param flags of chattr(1), -1 if they can't be had
 * @param target of a symbolic link, else ""
 * @param xattrs names and values
 * @param data where a file has data, as lseek(2) tells
 * @param content a sum of all that is not zero
 */
record Item(Status status, long flags, String target, String xattrs, String data, String content) {}
