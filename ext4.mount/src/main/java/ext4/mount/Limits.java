// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import java.util.concurrent.TimeUnit;

/**
 * How long a hand-over may take before it is given up.
 *
 * @param drainNanos for the requests that run to end; part of the 3 s that a service's end may wait for the hand-over
 * @param takeOverNanos for a new core to take over
 */
record Limits(long drainNanos, long takeOverNanos) {
    /** Those of a mount. */
    static final Limits DEFAULTS = new Limits(TimeUnit.MILLISECONDS.toNanos(1500), TimeUnit.SECONDS.toNanos(10));
}
