// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays flat is no growth, what rises is, and a short run is not judged. */
class GrowthTest {
    private static Growth run(int samples, long memoryEach, int descriptorsEach) {
        Growth growth = new Growth();
        for (int i = 1; i <= samples; i++) {
            growth.add(
                    60.0 * i,
                    List.of(
                            "sample",
                            Long.toString(500_000 + i * memoryEach),
                            "20000",
                            Integer.toString(90 + i * descriptorsEach),
                            "40",
                            "5000"));
        }
        return growth;
    }

    @Test
    void flat() {
        assertThat(run(10, 0, 0).grows()).isFalse();
        assertThat(run(10, 0, 0).table()).hasSize(7).noneMatch(line -> line.contains("GROWS"));
    }

    @Test
    void memory() {
        assertThat(run(10, 60_000, 0).grows()).isTrue();
        assertThat(run(10, 60_000, 0).table()).anyMatch(line -> line.contains("resident") && line.contains("GROWS"));
    }

    @Test
    void descriptors() {
        assertThat(run(10, 0, 4).grows()).isTrue();
    }

    @Test
    void aShortRunIsNotJudged() {
        assertThat(run(2, 600_000, 40).grows()).isFalse();
    }

    @Test
    void percentilesAreValuesThatWereMeasured() {
        long[] sorted = {1, 2, 3, 4};
        assertThat(PauseTable.rank(sorted, 0.5)).isEqualTo(2);
        assertThat(PauseTable.rank(sorted, 0.99)).isEqualTo(4);
        assertThat(PauseTable.rank(new long[] {7}, 0.5)).isEqualTo(7);
    }
}
