// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** The medium failed: a read, write or flush returned an error, was short, or fell outside the device. */
public final class DeviceException extends Ext4Exception {
    private static final long serialVersionUID = 1L;

    /** What failed, naming the device, the operation and the byte offset. */
    public DeviceException(String message) {
        super(message, null, true);
    }

    /** What failed, and the error underneath. */
    public DeviceException(String message, Throwable cause) {
        super(message, cause, true);
    }

    @Override
    public Errno errno() {
        return Errno.EIO;
    }
}
