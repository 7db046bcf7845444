// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.lab.Main;
import ext4.lab.crash.mutant.Mutant;
import ext4.testkit.oracle.Oracles;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ext4 lab crash}, shortly: nothing is found but what was planted, and that always. */
class CrashTest {
    private static final long SEED = Long.getLong("ext4.crash.seed", 20);
    private static final int THREADS = 2;
    private static final long STATES = 5_000;

    /** A planted mistake shows long before. */
    private static final long MUTANT_STATES = 12_000;

    private static final long FEW = 60;

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    private static Settings settings(long states, Path resume, Mutant mutant, int threads, int findings) {
        return new Settings(states, SEED, resume, mutant, threads, -1, CrashCommand.usualScratch(), null, findings);
    }

    @Test
    void everyStateRecoversToWhatWasPromised() throws Exception {
        Explorer explorer = new Explorer(settings(STATES, null, Mutant.NONE, THREADS, 5), System.out);
        assertThat(explorer.run()).isTrue();
        assertThat(explorer.tally().states.sum()).isGreaterThanOrEqualTo(STATES);
        assertThat(explorer.tally().torn.sum()).isPositive();
        assertThat(explorer.tally().interrupted.sum()).isPositive();
        assertThat(explorer.tally().promises.sum()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aPlantedMistakeIsFound(Mutant mutant) throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Explorer explorer = new Explorer(
                settings(MUTANT_STATES, null, mutant, THREADS, 1), new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(explorer.run()).as(text.toString(StandardCharsets.UTF_8)).isFalse();
        System.out.println(
                text.toString(StandardCharsets.UTF_8).lines().limit(3).toList());
    }

    @Test
    void aRunGoesOnWhereAnotherEnded() throws Exception {
        Path file = temp.resolve("resume");
        Explorer first = new Explorer(settings(FEW, file, Mutant.NONE, 1, 1), System.out);
        assertThat(first.run()).isTrue();
        long done = first.tally().states.sum();
        int lines = Files.readAllLines(file).size();
        Files.writeString(file, "99 1 00", StandardOpenOption.APPEND); // it was killed in between
        Explorer second = new Explorer(settings(done + 1, file, Mutant.NONE, 1, 1), System.out);
        assertThat(second.tally().states.sum()).isEqualTo(done);
        assertThat(second.run()).isTrue();
        assertThat(second.tally().states.sum()).isGreaterThan(done);
        assertThat(Files.readAllLines(file)).hasSizeGreaterThan(lines).noneMatch(line -> line.startsWith("99 1 00"));
    }

    @Test
    void theCommandLineIsJudged() {
        assertThat(Main.run("crash", "--states", "0")).isEqualTo(2);
        assertThat(Main.run("crash", "--mutant", "wheel")).isEqualTo(2);
        assertThat(Main.run("crash", "--threads", "0")).isEqualTo(2);
        assertThat(Main.run("crash", "--keep", temp.resolve("none").toString())).isEqualTo(2);
        assertThat(Main.run("crash", "--resume", "x", "--mutant", "flush")).isEqualTo(2);
    }
}
