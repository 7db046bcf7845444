// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.nio.file.FileSystemException;

/** The image has features that this version does not; the reason names them as mke2fs(8) does. */
public final class UnsupportedImageException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    /** Why {@code file} can't be used. */
    public UnsupportedImageException(String file, String reason) {
        super(file, null, reason);
    }
}
