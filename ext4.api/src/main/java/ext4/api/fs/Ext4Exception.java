// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * What goes wrong with a filesystem. There are three kinds with evidence ({@link DeviceException},
 * {@link UnsupportedFeatureException}, {@link CorruptException}) and {@link ErrnoException} for the ordinary outcomes
 * of a system call. The errno that a caller of a system call sees is made from them here and nowhere else.
 */
public abstract sealed class Ext4Exception extends RuntimeException
        permits DeviceException, UnsupportedFeatureException, CorruptException, ErrnoException {
    private static final long serialVersionUID = 1L;

    Ext4Exception(String message, Throwable cause, boolean writableStackTrace) {
        super(message, cause, false, writableStackTrace);
    }

    /** The error number that a system call reports for this failure. */
    public abstract Errno errno();
}
