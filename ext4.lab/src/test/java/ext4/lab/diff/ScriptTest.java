// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final Setting SETTING = Setting.of("-b 1024 -O ^has_journal", 7);

    @Test
    void whatIsPrintedCanBeReplayed() {
        Shape shape = new Shape();
        Generator generator = new Generator(new Random(5), shape, 1024);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Step step = generator.next();
            shape.learn(step, "0");
            steps.add(step);
        }
        Script script = new Script(SETTING, steps);
        assertThat(Script.parse(script.lines())).isEqualTo(script);
    }

    @Test
    void saysWhichLineIsNone() {
        assertThatThrownBy(() -> Script.parse(List.of("# a remark", "mkdir a 493", "frobnicate b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 3: no operation is called 'frobnicate'");
        assertThatThrownBy(() -> Script.parse(List.of("mkdir a"))).hasMessageContaining("line 1: MKDIR takes 2");
        assertThatThrownBy(() -> Script.parse(List.of("close 9"))).hasMessageContaining("there is no slot 9");
        assertThatThrownBy(() -> Script.parse(List.of("unlink a%4"))).hasMessageContaining("in the middle of a byte");
    }

    @Test
    void aSequenceIsShrunkToWhatItFailsWithout() {
        List<Step> steps = IntStream.range(0, 500)
                .mapToObj(i -> Step.of(Verb.RMDIR, "d" + i))
                .toList();
        List<Step> needed = List.of(steps.get(17), steps.get(311), steps.getLast());
        assertThat(Shrink.run(steps, 60, all -> all.containsAll(needed))).isEqualTo(needed);
    }
}
