// SPDX-License-Identifier: Apache-2.0
/**
 * The log of JBD2, big-endian throughout.
 *
 * <p>The journal is a file (or device) of blocks. Block 0 holds the superblock
 * ({@link ext4.format.jbd2.JournalSuperblock}); the log is the ring {@code [s_first, logEnd)}. A transaction is a
 * sequence of descriptor blocks, each followed by the blocks its tags name, and revoke blocks, closed by one commit
 * block; all of its control blocks carry its sequence number, and the next transaction has the next number (modulo
 * 2^32). s_start is the log block of the oldest transaction that must be replayed and s_sequence its number; s_start
 * 0 means clean.
 *
 * <pre>
 *   control block   u32 magic, u32 type, u32 sequence              {@link ext4.format.jbd2.BlockHeader}
 *   descriptor      header, tags, [u32 checksum at the end]        {@link ext4.format.jbd2.DescriptorReader}, -Writer
 *   revoke          header, u32 bytes used, numbers, [checksum]    {@link ext4.format.jbd2.RevokeBlock}
 *   commit          header, checksums, time                        {@link ext4.format.jbd2.CommitBlock}
 * </pre>
 *
 * The features of the superblock decide how wide tags and revoke numbers are and which checksums exist:
 * {@link ext4.format.jbd2.LogFormat} is that decision, made once when the journal is opened. A logged block that begins
 * with the magic is escaped: its first word is stored as 0 and its tag says so, or a scan could take it for a control
 * block. Source of the rules: kernel documentation, {@code filesystems/ext4/journal.rst}.
 */
package ext4.format.jbd2;
