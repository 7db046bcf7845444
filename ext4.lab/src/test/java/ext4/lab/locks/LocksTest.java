// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.lab.locks.LockOrder.Edge;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Locks are taken in the order that ARCHITECTURE.md states; and one that is not is found. */
class LocksTest {
    private static final int THREADS = 4;
    private static final int STEPS = 4000;

    private static String page;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime() & 0x7FFFFFFF);
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeAll
    static void page() throws Exception {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        page = Files.readString(folder.resolve("ARCHITECTURE.md"));
    }

    private int run(int threads, int steps, boolean planted) throws Exception {
        System.out.println("seed " + seed);
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        int problems = new LockRun(page, out).run(seed, threads, steps, planted);
        System.out.println(said().lines().reduce((a, b) -> b).orElse(""));
        return problems;
    }

    private String said() {
        return "seed " + seed + "\n" + said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void locksAreTakenInTheOrderThatIsStated() throws Exception {
        assertThat(run(THREADS, STEPS, false)).as(this::said).isZero();
    }

    /** A strategy that looks at an inode from inside its add: under a handle, while no other thread is near. */
    @Test
    void plantedInversionIsFound() throws Exception {
        assertThat(run(1, 300, true)).as(this::said).isPositive();
        assertThat(said()).contains("Inode.lock (row 6) is waited for while handle (row 9) is held");
        assertThat(said()).contains("a cycle: ");
    }

    @Test
    void pageRulesAndCycles() {
        Rules rules = new Rules("""
                ## Lock order
                | # | lock | guards | held | in the code |
                |---|---|---|---|---|
                | 1 | outer | x | no | `Outer` `Twin` |
                | 2 | inner | x | no | `Inner` |
                ## Else
                | 3 | other | x | no | `Other` |
                """);
        Edge down = new Edge("Outer", "Inner");
        assertThat(rules.broken(Map.of(down, ""), List.of("Outer", "Inner"))).isEmpty();
        assertThat(rules.broken(Map.of(down, "", new Edge("Inner", "Outer"), ""), List.of()))
                .hasSize(2)
                .anyMatch(problem -> problem.startsWith("a cycle: "));
        assertThat(rules.broken(Map.of(new Edge("Outer", "Twin"), ""), List.of()))
                .hasSize(1);
        assertThat(rules.broken(Map.of(), List.of("Other"))).hasSize(1);
    }
}
