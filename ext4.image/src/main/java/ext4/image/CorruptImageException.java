// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.CorruptException;
import java.nio.file.FileSystemException;

/** A structure in the image contradicts the format; the reason has the evidence: where, what was found, what expected. */
public final class CorruptImageException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    /** What was found at {@code file}. */
    public CorruptImageException(String file, String evidence) {
        super(file, null, evidence);
    }

    CorruptImageException(String file, CorruptException cause) {
        this(file, cause.getMessage());
        initCause(cause);
    }
}
