// SPDX-License-Identifier: Apache-2.0
/** Transactions without a log, and writing blocks to their places. */
package ext4.journal.inplace;
