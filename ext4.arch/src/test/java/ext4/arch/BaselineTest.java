// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The signatures of each API package stand in a file with the package's version. Who changes an API package raises its
 * version (a part taken away or changed: as much as an addition asks for, since implementers import one minor version only)
 * and records it: {@code -Dext4.baseline.record=true}. Before the first release there is no artifact to compare with.
 */
class BaselineTest {
    private static final Path RECORDED = Modules.ROOT.resolve("ext4.arch/src/test/baseline");
    private static final Path CLASSES = Modules.ROOT.resolve("ext4.api/target/classes/ext4/api");

    @Test
    void aChangedPackageHasAChangedVersion() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path folder : packages()) {
            Signatures now = Signatures.of(folder);
            Path file = RECORDED.resolve(now.name() + ".txt");
            if (Boolean.getBoolean("ext4.baseline.record")) {
                Files.createDirectories(RECORDED);
                Files.write(file, now.toLines());
            }
            String verdict = Files.exists(file)
                    ? now.comparedWith(Signatures.read(Files.readAllLines(file)))
                    : now.name() + " is not recorded: " + Signatures.HOW;
            if (!verdict.isEmpty()) {
                wrong.add(verdict);
            }
        }
        assertThat(String.join("\n", wrong)).isEmpty();
    }

    private static List<Path> packages() throws IOException {
        try (Stream<Path> folders = Files.list(CLASSES)) {
            List<Path> all = folders.filter(Files::isDirectory).sorted().toList();
            assertThat(all).hasSizeGreaterThanOrEqualTo(5);
            return all;
        }
    }

    @Test
    void eachKindOfChangeIsToldInOneLine() {
        Signatures recorded = new Signatures("p", "1.2.0", List.of("class A", "A.a()V", "A.b()V"));
        assertThat(recorded.comparedWith(recorded)).isEmpty();
        assertThat(new Signatures("p", "1.2.0", List.of("class A", "A.a()V", "A.b()V", "A.c()V"))
                        .comparedWith(recorded))
                .isEqualTo("p has changed (+ A.c()V) and is still version 1.2.0: raise it in package-info.java and "
                        + Signatures.HOW);
        assertThat(new Signatures("p", "1.2.0", List.of("class A", "A.a()V")).comparedWith(recorded))
                .contains("- A.b()V", "still version 1.2.0");
        assertThat(new Signatures("p", "1.2.1", List.of("class A", "A.a()V")).comparedWith(recorded))
                .contains("1.2.1 is a repair only");
        assertThat(new Signatures("p", "1.3.0", List.of("class A", "A.a()V")).comparedWith(recorded))
                .isEqualTo("p 1.3.0 is not recorded: " + Signatures.HOW);
        assertThat(new Signatures("p", "1.1.0", List.of("class A")).comparedWith(recorded))
                .contains("lower than");
        assertThat(new Signatures("p", "1.2.1", recorded.lines()).comparedWith(recorded))
                .contains("is not recorded");
    }

    /** What is not public or protected is no part of it, nor are constants' values. */
    @Test
    void signaturesAreThoseOfTheClassFiles() throws IOException {
        Signatures journal = Signatures.of(CLASSES.resolve("journal"));
        assertThat(journal.name()).isEqualTo("ext4.api.journal");
        assertThat(journal.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(journal.lines())
                .contains(
                        "interface JournalProvider",
                        "JournalProvider.journals()Z",
                        "JournalProvider.NAME Ljava/lang/String;")
                .noneMatch(line -> line.contains("JournalClosedException.<init>"));
    }
}
