// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A load finds nothing where nothing is wrong, and finds what somebody else changed. */
class WorkersTest {
    private static final long SEED = 20_260_101;
    private static final int STEPS = 400;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final Outcome outcome = new Outcome(new PrintStream(told, true, StandardCharsets.UTF_8));

    enum Kind {
        MARK,
        REMOVE;

        Worker make(Hands hands, String directory) {
            return switch (this) {
                case MARK -> new MarkWorker(hands, directory, SEED);
                case REMOVE -> new RemoveWorker(hands, directory, SEED);
            };
        }
    }

    private String told() {
        return told.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> expectations(Worker worker) {
        Map<String, String> expected = new TreeMap<>();
        worker.expectations(expected::put);
        return expected;
    }

    /** Sizes and contents only: who owns a file is another matter where the test's user is not root. */
    private static boolean differs(Hands hands, String path, String expected) {
        String pattern = " (size|crc|entries)=";
        List<String> facts = new ArrayList<>(List.of(expected.split(" ")));
        List<String> seen = new ArrayList<>(
                List.of(Description.actual(hands, path, expected).split(" ")));
        facts.removeIf(fact -> !(" " + fact).matches(pattern + ".*"));
        seen.removeIf(fact -> !(" " + fact).matches(pattern + ".*"));
        return !facts.equals(seen);
    }

    @ParameterizedTest
    @EnumSource
    void findsNothingWhereNothingIsWrong(Kind kind) {
        try (Hands hands = new Hands(outcome)) {
            Worker worker = kind.make(hands, folder + "/tree");
            worker.begin();
            for (int i = 0; i < STEPS; i++) {
                worker.step();
            }
            Map<String, String> expected = expectations(worker);
            assertThat(expected).isNotEmpty();
            assertThat(expected)
                    .noneSatisfy((path, text) ->
                            assertThat(differs(hands, path, text)).isTrue());
            worker.end();
        }
        assertThat(told()).isEmpty();
    }

    @Test
    void findsAChangedByte() throws IOException {
        try (Hands hands = new Hands(outcome)) {
            Worker worker = Kind.MARK.make(hands, folder + "/tree");
            worker.begin();
            for (int i = 0; i < STEPS; i++) {
                worker.step();
            }
            Map<String, String> expected = expectations(worker);
            Path victim = expected.keySet().stream()
                    .map(Path::of)
                    .filter(path -> Files.isRegularFile(path) && path.toFile().length() > 0)
                    .findAny()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(victim);
            bytes[bytes.length / 2] ^= 1;
            Files.write(victim, bytes);
            assertThat(expected.keySet().stream().filter(path -> differs(hands, path, expected.get(path))))
                    .containsExactly(victim.toString());
            worker.end();
        }
    }

    @Test
    void aCallThatFailsIsToldOnceAndEndsTheTree() throws IOException {
        try (Hands hands = new Hands(outcome)) {
            Worker worker = Kind.MARK.make(hands, folder + "/tree");
            worker.begin();
            worker.step();
            Files.createFile(folder.resolve("tree/1/f1"));
            assertThat(catchThrowable(worker::step)).isInstanceOf(Abandoned.class);
        }
        assertThat(told()).isEqualTo("failed\topen\t" + folder + "/tree/1/f1\tEEXIST\tsuccess\n");
    }

    @Test
    void anEntryThatIsMissingIsFound() throws IOException {
        try (Hands hands = new Hands(outcome)) {
            Worker worker = Kind.REMOVE.make(hands, folder + "/tree");
            worker.begin();
            worker.step();
            try (var files = Files.list(folder.resolve("tree/tree0"))) {
                Files.delete(files.findAny().orElseThrow());
            }
            assertThat(catchThrowable(() -> {
                        for (int i = 0; i < STEPS; i++) {
                            worker.step();
                        }
                    }))
                    .isInstanceOf(Abandoned.class);
        }
        assertThat(told()).startsWith("failed\tgetdents\t" + folder + "/tree/tree0\t");
    }
}
