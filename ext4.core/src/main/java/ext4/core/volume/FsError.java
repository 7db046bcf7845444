// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import java.util.Arrays;

/**
 * An error of the filesystem, as the superblock records it.
 *
 * @param verb what was being done
 * @param ino inode concerned, or 0
 * @param block physical block concerned, or -1
 * @param code s_first_error_errcode and s_last_error_errcode
 * @param cause the evidence
 */
record FsError(String verb, int ino, long block, int code, Throwable cause) {
    private static final String CORE = "ext4.core.";

    /** Line of the source where it was found, for s_first_error_line and s_last_error_line; 0 if it was not in the core. */
    int line() {
        return Arrays.stream(cause.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(CORE))
                .mapToInt(StackTraceElement::getLineNumber)
                .findFirst()
                .orElse(0);
    }
}
