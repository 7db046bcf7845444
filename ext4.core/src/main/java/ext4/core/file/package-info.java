// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on inodes and file contents, a class a verb, over the parts in {@link ext4.core.file.Engine}.
 *
 * <p>Contents are on the device before the handle is closed that makes them reachable, so a commit never shows blocks
 * without them (data=ordered).
 */
package ext4.core.file;
