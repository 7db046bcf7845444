// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.mount.gate.Gate;
import ext4.mount.gate.Part;
import java.util.concurrent.TimeUnit;

/** Waits at a gate that is closed until no request runs that needs a part. */
final class Drained {
    private Drained() {}

    /**
     * Returns when none runs.
     *
     * @throws IllegalStateException in one line if one outlasts the limit: it is never cut
     */
    static void of(Gate gate, Part part, long nanos) {
        try {
            if (!gate.drain(part, nanos)) {
                throw new IllegalStateException(
                        "a request runs for longer than " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while requests end", e);
        }
    }
}
