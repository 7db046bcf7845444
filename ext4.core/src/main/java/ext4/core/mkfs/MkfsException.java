// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

/** A filesystem that cannot be made as asked for. The message is one line for the user. */
public final class MkfsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MkfsException(String message) {
        super(message);
    }
}
