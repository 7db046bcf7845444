// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a journal as test classes that a provider's own test extends: {@link ext4.testkit.journal.JournalContract}
 * without a log, {@link ext4.testkit.journal.LoggedJournalContract} with one, and
 * {@link ext4.testkit.journal.Jbd2JournalContract} with one that the kernel and e2fsck must read.
 */
@Export
@Version("0.1.0")
package ext4.testkit.journal;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
