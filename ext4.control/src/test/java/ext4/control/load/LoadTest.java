// SPDX-License-Identifier: Apache-2.0
package ext4.control.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadTest {
    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();

    @Test
    void makesFindsAndRemovesEverything() throws IOException, InterruptedException {
        assertThat(new Load(4, 10, told::add).run(new FileTree(directory))).isTrue();
        assertThat(directory).isEmptyDirectory();
        assertThat(told.stream().map(line -> line.split(" ")[0]))
                .startsWith("created", "found", "removing")
                .containsOnlyOnce("quarter")
                .endsWith("removed");
        assertThat(told)
                .filteredOn(line -> line.matches("removed [0-3] [0-9]+"))
                .hasSize(4);
        assertThat(told.getLast()).matches("removed [0-9]+");
    }

    @Test
    void aFailedCallFailsTheLoad() throws IOException, InterruptedException {
        Files.createFile(directory.resolve("d1"));
        assertThat(new Load(2, 3, told::add).run(new FileTree(directory))).isFalse();
        assertThat(told).anyMatch(line -> line.startsWith("failed java.nio.file.FileAlreadyExistsException"));
    }

    @Test
    void afterAFileIsLostTheLoadFails() throws IOException, InterruptedException {
        FileTree lossy = new FileTree(directory) {
            @Override
            public void create(int dir, int file) throws IOException {
                if (file != 1) {
                    super.create(dir, file);
                }
            }
        };
        assertThat(new Load(1, 3, told::add).run(lossy)).isFalse();
        assertThat(told).contains("failed java.io.IOException: found 2 of 3 files");
    }
}
