// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

/** A call of a load failed, which none may. */
public final class FailedCall extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Which call, and why. */
    public FailedCall(String call, String reason) {
        super(call + ": " + reason);
    }
}
