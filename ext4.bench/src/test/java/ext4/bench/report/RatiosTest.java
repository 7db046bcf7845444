// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.bench.load.Outcome;
import ext4.bench.measure.Sample;
import ext4.bench.measure.Samples;
import ext4.bench.measure.Spread;
import ext4.bench.subject.Label;
import org.junit.jupiter.api.Test;

class RatiosTest {
    private static final Label OURS = new Label("mount fuse", "sharded", false);
    private static final Label NULL = Label.peer("null fuse");

    private final Samples samples = new Samples();

    @Test
    void spreadIsOrderedAndItsMedianIsTheMiddle() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(1, 2, 3));
        assertThat(Spread.of(4, 1, 3, 2).median()).isEqualTo(2.5);
        assertThat(Spread.of(0.8123, 12.345, 1234.4).text()).isEqualTo("0.812 / 12.3 / 1234");
    }

    @Test
    void ratiosAreMadeRoundByRound() {
        add(OURS, 1, 80);
        add(NULL, 1, 100);
        add(OURS, 2, 45);
        add(NULL, 2, 50);
        add(OURS, 3, 70);
        add(NULL, 3, 100);
        assertThat(samples.ratio(OURS, 1, NULL, 1, "create")).contains(new Spread(0.7, 0.8, 0.9));
        assertThat(new Ratios(samples).text())
                .contains("mount fuse, sharded / null fuse")
                .contains("0.700 / 0.800 / 0.900");
    }

    @Test
    void anInProcessFigureIsNotComparedWithAFuseOne() {
        add(new Label(Label.IN_PROCESS, "sharded", false), 1, 500);
        add(Label.peer("kernel ext4"), 1, 100);
        add(NULL, 1, 20);
        assertThat(new Ratios(samples).text())
                .contains("in-process, sharded / kernel ext4", "5.00")
                .doesNotContain("null");
    }

    private void add(Label label, int round, long operations) {
        Outcome outcome = new Outcome(new long[] {operations}, new long[] {1_000_000}, 0);
        samples.add(new Sample(true, label, "create", 1, round, outcome, 1000));
    }
}
