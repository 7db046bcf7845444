// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

/** A part could not be replaced, and the one before could not be put to work again: the part is missing. */
public final class PartLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param reason in one line; no exception of a part is kept */
    public PartLostException(String reason) {
        super(reason);
    }
}
