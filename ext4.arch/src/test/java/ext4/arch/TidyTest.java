// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files have one job, methods fit a screen, every file says its licence, and tests don't sleep. */
class TidyTest {
    private static final int FILE_LINES = 500;
    private static final int METHOD_LINES = 60;
    private static final String LICENCE = "// SPDX-License-Identifier: Apache-2.0";

    private static final List<Path> ALL = Modules.sources("src/main/java", "src/test/java");

    @Test
    void filesAreShortAndSayTheirLicence() throws IOException {
        assertThat(ALL).hasSizeGreaterThan(50);
        for (Path file : ALL) {
            List<String> lines = Files.readAllLines(file);
            assertThat(lines.getFirst()).as("first line of %s", file).isEqualTo(LICENCE);
            assertThat(lines).as("lines of %s", file).hasSizeLessThanOrEqualTo(FILE_LINES);
        }
    }

    @Test
    void methodsFitAScreen() {
        assertThat(SourceTree.parse(ALL))
                .flatMap(source -> source.methodsLongerThan(METHOD_LINES))
                .isEmpty();
    }

    @Test
    void methodsAreMeasured() {
        Path self = Modules.ROOT.resolve("ext4.arch/src/test/java/ext4/arch/TidyTest.java");
        List<String> found = SourceTree.parse(List.of(self)).getFirst().methodsLongerThan(8);
        assertThat(found).singleElement().asString().contains("filesAreShortAndSayTheirLicence has 9 lines");
    }

    @Test
    void testsDoNotSleep() {
        assertThat(SourceTree.parse(Modules.sources("src/test/java")))
                .flatMap(SourceTree::sleeps)
                .isEmpty();
    }
}
