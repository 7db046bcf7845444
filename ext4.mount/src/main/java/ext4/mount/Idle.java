// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport;
import ext4.mount.swap.Candidate;

/** Reports of what came or went while nothing used it. */
final class Idle {
    private static final String NONE = "none";

    private Idle() {}

    /** Either may be null. */
    static SwapReport report(SwapReport.Part part, Candidate<?> from, Candidate<?> to) {
        return new SwapReport(part, name(from), name(to), 0, 0, 0, 0);
    }

    /** As a report calls it. */
    static String name(Candidate<?> candidate) {
        return candidate == null ? NONE : candidate.title();
    }
}
