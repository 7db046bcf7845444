// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import ext4.bench.load.Outcome;
import ext4.bench.subject.Label;

/**
 * One run.
 *
 * @param journal whether the subject's filesystem has a journal, as far as that can be chosen
 * @param label the subject
 * @param phase {@code fchown}, {@code create}, {@code find} or {@code remove}
 * @param tasks how many worked side by side
 * @param round from 1
 * @param outcome what they did
 * @param cpuNanos processor time of load and server
 */
public record Sample(boolean journal, Label label, String phase, int tasks, int round, Outcome outcome, long cpuNanos) {
    /** Operations in a millisecond. */
    public double perMilli() {
        return outcome.perMilli();
    }

    /** Seconds to the end of everything. */
    public double seconds() {
        return outcome.nanos() / 1e9;
    }

    /** Processor time of an operation, microseconds. */
    public double cpuMicros() {
        return cpuNanos / 1e3 / outcome.total();
    }
}
