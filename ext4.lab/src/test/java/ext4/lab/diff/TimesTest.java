// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.lab.diff.Status.Time;
import org.junit.jupiter.api.Test;

/** What may have been set by one step, and what may not. */
class TimesTest {
    private static final long SECOND = 1_000_000_000;

    /** So that it is no time that a step gave. */
    private final long now = Times.now() / SECOND;

    private Times steps(boolean nanos) {
        Times times = new Times(nanos);
        long first = now * SECOND + SECOND / 2;
        times.step(first, first + 10, first + 10, first + 20);
        times.step(first + 3 * SECOND, first + 3 * SECOND + 10, first + 3 * SECOND + 10, first + 3 * SECOND + 20);
        return times;
    }

    private Time at(int seconds, int nanos) {
        return new Time(now + seconds, nanos);
    }

    @Test
    void eachSideHasItsOwnNowWithinAStep() {
        int half = (int) (SECOND / 2);
        assertThat(steps(true).agree(at(0, half), at(0, half + 15))).isTrue();
        assertThat(steps(true).agree(at(0, half), at(3, half + 15))).isFalse();
        assertThat(steps(true).agree(at(-1, half), at(3, half + 15))).isFalse();
    }

    @Test
    void secondsOfBeforeTheFirstStepMayDiffer() {
        assertThat(steps(false).agree(at(-1, 0), at(0, 0))).isTrue();
        assertThat(steps(false).agree(at(-5, 0), at(-4, 0))).isTrue();
        assertThat(steps(false).agree(at(0, 0), at(3, 0))).isFalse();
        assertThat(steps(false).agree(at(3, 0), at(-4, 0))).isFalse();
    }
}
