// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.nio.file.FileSystemException;

/** No block or no inode is left for what was to be written. */
public final class NoSpaceException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    /** What there is no room for, and what the system call says. */
    public NoSpaceException(String file, String reason) {
        super(file, null, reason);
    }
}
