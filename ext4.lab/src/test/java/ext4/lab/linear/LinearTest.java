// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Errno;
import ext4.api.fs.FileSystem;
import ext4.lab.linear.Op.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations on names have an order; and the search is able to say that there is none. */
class LinearTest {
    private static final int THREADS = 3;
    private static final int CALLS = 6;
    private static final int ROOT = 2;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime() & 0x7FFFFFFF);
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int run(int histories, UnaryOperator<FileSystem> between) throws Exception {
        System.out.println("seed " + seed);
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new LinearRun(seed, THREADS, CALLS, between, out).run(histories);
    }

    private String said() {
        return "seed " + seed + "\n" + said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void eachHistoryHasAnOrder() throws Exception {
        assertThat(run(3000, fs -> fs)).as(this::said).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mutant.class)
    void plantedMistakeIsFound(Mutant mutant) throws Exception {
        assertThat(run(30_000, mutant::of)).as(this::said).isPositive();
        assertThat(said()).contains("no order explains the history of seed");
    }

    @Test
    void searchKnowsWhatOverlaps() {
        Model empty = new Model();
        empty.root(ROOT);
        Op made = op(Kind.CREATE, 12, null, 1, 4);
        Op seen = op(Kind.LOOKUP, 12, null, 2, 3);
        Op absent = op(Kind.LOOKUP, 0, Errno.ENOENT, 5, 6);
        assertThat(new Search(List.of(made, seen)).finds(empty.copy())).isTrue();
        assertThat(new Search(List.of(made, seen, absent)).finds(empty.copy())).isFalse();
        assertThat(new Search(List.of(op(Kind.LOOKUP, 12, null, 1, 2), op(Kind.CREATE, 12, null, 3, 4)))
                        .finds(empty.copy()))
                .isFalse();
    }

    private static Op op(Kind kind, int ino, Errno error, long called, long returned) {
        Op op = new Op(kind, 0, ROOT, "a", 0, null, 0);
        op.ino = ino;
        op.error = error;
        op.called = called;
        op.returned = returned;
        return op;
    }
}
