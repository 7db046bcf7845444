// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

/**
 * What recovery did.
 *
 * @param transactions transactions replayed
 * @param blocks blocks written to their place
 * @param revoked blocks left out because of a revoke record
 * @param nextSequence the first sequence number that is not used in the old log
 * @param recordedError s_errno of the journal superblock, 0 for none: the filesystem must be marked as having errors
 */
public record JournalRecovery(int transactions, long blocks, long revoked, int nextSequence, int recordedError) {}
