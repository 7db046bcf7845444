// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;

/** An index cannot be followed. Readers go on without it; writers throw {@link #evidence}. */
final class BadIndexException extends Exception {
    private static final long serialVersionUID = 1L;

    BadIndexException(CorruptException evidence) {
        super(evidence);
    }

    static BadIndexException of(DirFile dir, int lblk, String field, long found, String expected) {
        return new BadIndexException(BadDirectory.of(dir, lblk, "index", field, Long.toString(found), expected));
    }

    /** What is wrong with the index. */
    CorruptException evidence() {
        return (CorruptException) getCause();
    }
}
