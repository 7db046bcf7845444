// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

/**
 * A handle was asked for from a journal that is closed. If another took its place the caller asks that one; nothing was
 * begun. Stackless, since every caller of a moment may get it.
 */
public final class JournalClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** The one there is. */
    public static final JournalClosedException INSTANCE = new JournalClosedException();

    private JournalClosedException() {
        super("the journal is closed", null);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
