// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OutcomeTest {
    @Test
    void fairnessIsJainsIndexOfSpeeds() {
        assertThat(outcome(new long[] {100, 100}, new long[] {50, 50}).fairness())
                .isEqualTo(1);
        // speeds 1 and 1/3: (4/3)^2 / (2 * 10/9)
        assertThat(outcome(new long[] {90, 90}, new long[] {90, 270}).fairness())
                .isCloseTo(0.8, within(1e-9));
        assertThat(outcome(new long[] {100, 0, 0, 0}, new long[] {50, 50, 50, 50})
                        .fairness())
                .isCloseTo(0.25, within(1e-9));
    }

    @Test
    void aRunEndsWhenEverythingIsFree() {
        Outcome outcome = new Outcome(new long[] {1000, 1000}, new long[] {1_000_000, 3_000_000}, 4_000_000);
        assertThat(outcome.first()).isEqualTo(1_000_000);
        assertThat(outcome.last()).isEqualTo(3_000_000);
        assertThat(outcome.perMilli()).isEqualTo(500);
    }

    private static Outcome outcome(long[] operations, long[] ends) {
        return new Outcome(operations, ends, 0);
    }
}
