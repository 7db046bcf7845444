// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

/** A subject can't be measured here; the message says why, and the bench goes on without it. */
public final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason in one line. */
    public Unavailable(String reason) {
        super(reason, null, false, false);
    }
}
