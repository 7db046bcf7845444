// SPDX-License-Identifier: Apache-2.0
/** The journal providers as services: {@code jbd2} with a log, {@code none} without. */
package ext4.journal;
