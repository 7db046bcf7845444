// SPDX-License-Identifier: Apache-2.0
/** Replaying a log that nobody vouches for. */
package ext4.journal.recovery;
