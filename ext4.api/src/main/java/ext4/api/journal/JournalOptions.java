// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

/**
 * How a journal runs.
 *
 * @param commitIntervalMillis a running transaction is committed at the latest after this time
 * @param barrier whether commits flush the device's cache (mount option barrier)
 * @param memoryBudget bytes of block versions that may wait for commit and checkpoint before the journal writes back
 */
public record JournalOptions(long commitIntervalMillis, boolean barrier, long memoryBudget) {}
