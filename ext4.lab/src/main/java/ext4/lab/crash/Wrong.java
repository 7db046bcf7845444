// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

/** An image was not recovered as it must be. */
final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
        super(message);
    }

    Wrong(String message, Throwable cause) {
        super(message, cause);
    }
}
