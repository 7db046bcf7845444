// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.lab.fuzz.Finding.Kind;
import ext4.testkit.oracle.Oracles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the fuzzer found once, and what it must be able to find. */
class FoundTest {
    @TempDir
    static Path folder;

    private static FuzzRun run;

    @BeforeAll
    static void images() throws IOException {
        Oracles.needE2fsprogs();
        run = new FuzzRun(new FuzzRun.Settings(1, 1, 1, 1), folder, new PrintStream(System.out));
    }

    static List<String> found() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(FoundTest.class.getResourceAsStream("found.txt")), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("found")
    void staysFixed(String damage) {
        Base base = run.base(damage.substring(0, damage.indexOf(':')));
        List<Mutation> mutations = FuzzRun.parse(damage);
        assertThat(FuzzRun.text(base, mutations)).isEqualTo(damage);
        try (LogWatch log = new LogWatch();
                Judge judge = new Judge(folder)) {
            for (long seed = 1; seed <= 4; seed++) {
                Trial trial = run.trial(base, mutations, seed, judge, new Watchdog());
                assertThat(trial.findings())
                        .as("%s, seed %d", damage, seed)
                        .filteredOn(finding -> finding.kind() != Kind.STRICTER)
                        .isEmpty();
            }
            assertThat(log.next()).as("log of %s", damage).isNull();
        }
    }
}
