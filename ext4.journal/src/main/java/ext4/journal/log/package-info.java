// SPDX-License-Identifier: Apache-2.0
/**
 * The log of JBD2: writing transactions, keeping what is not yet in its place, checkpoint and the tail.
 *
 * <p>Lock order: {@code Checkpointer.turn}, {@code Checkpointer.batch}, a block's monitor. The monitors of {@code LogRing}
 * and {@code LogSink} are innermost; only the superblock is written under the first.
 */
package ext4.journal.log;
