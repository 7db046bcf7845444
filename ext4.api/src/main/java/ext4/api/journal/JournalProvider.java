// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import org.osgi.annotation.versioning.ConsumerType;

/** Service: makes journals. The service property {@link #NAME} tells which kind. */
@ConsumerType
public interface JournalProvider {
    /** Service property: {@code jbd2}, or {@code none} for the provider that keeps no log. */
    String NAME = "ext4.journal.name";

    /** Whether journals of this provider keep a log. */
    boolean journals();

    /**
     * Replays the log if it holds anything and leaves it empty and durable. Does nothing for a provider without a log.
     * Must not trust a byte of the log.
     *
     * @throws ext4.api.fs.CorruptException if the log contradicts itself before its end
     */
    JournalRecovery recover(JournalHost host);

    /**
     * Opens an empty log for writing: at mount, and, when a journal is replaced, behind the old one's barrier, with many
     * threads waiting. It goes on at the recorded sequence; the first transaction's number is greater than
     * {@link JournalHost#newestTid}. A throw leaves no thread and the log empty, so that another can open it.
     *
     * @throws ext4.api.fs.CorruptException if the log is not empty or not usable
     */
    Journal open(JournalHost host, JournalOptions options);
}
