// SPDX-License-Identifier: Apache-2.0
/**
 * What requests mean: the INIT negotiation, a table with a row per opcode, and a class per family of requests that
 * translates to the verbs of {@link ext4.api.fs.FileSystem}.
 */
package ext4.fuse.session;
