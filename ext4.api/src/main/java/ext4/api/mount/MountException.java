// SPDX-License-Identifier: Apache-2.0
package ext4.api.mount;

/** An operator's request was refused; the message says why, in one line, and carries no type of any bundle. */
public final class MountException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason in one line. */
    public MountException(String reason) {
        super(reason);
    }
}
