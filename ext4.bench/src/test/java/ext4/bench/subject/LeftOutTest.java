// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.bench.load.FailedCall;
import ext4.bench.measure.Progress;
import ext4.bench.measure.Rounds;
import ext4.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftOutTest {
    private final List<String> leftOut = new ArrayList<>();

    @Test
    void aPeerThatIsNotInstalledIsNamedAndLeftOut() throws Exception {
        assertThat(rounds().run(List.of(new Absent(Label.peer("kernel nofs")))).all())
                .isEmpty();
        assertThat(leftOut).containsExactly("kernel nofs is left out: mkfs.nofs is not installed");
    }

    @Test
    void aPeerWhoseCallsFailIsLeftOutButAFailureOfOursIsNone() throws Exception {
        rounds().run(List.of(new Failing(Label.peer("fuse2fs"))));
        assertThat(leftOut).singleElement().asString().startsWith("fuse2fs is left out: a call failed");
        Failing ours = new Failing(new Label("mount fuse", "sharded", false));
        assertThatThrownBy(() -> rounds().run(List.of(ours))).isInstanceOf(FailedCall.class);
    }

    private Rounds rounds() {
        return new Rounds(new Workload.Fchown(List.of(1), 1), true, 1, 0, new Progress(), leftOut::add);
    }

    private abstract static class Nowhere extends Subject {
        Nowhere(Label label) {
            super(label, null);
        }

        @Override
        public boolean fast() {
            return false;
        }

        @Override
        String place() {
            return "nowhere";
        }

        @Override
        Process server() {
            return null;
        }
    }

    private static final class Absent extends Nowhere {
        Absent(Label label) {
            super(label);
        }

        @Override
        public void start() throws Unavailable {
            Commands.find("mkfs.nofs");
        }

        @Override
        Worker worker() {
            throw new AssertionError("it was not started");
        }
    }

    private static final class Failing extends Nowhere {
        Failing(Label label) {
            super(label);
        }

        @Override
        public void start() {}

        @Override
        Worker worker() {
            throw new FailedCall("fchown", "operation not permitted");
        }
    }
}
