// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.testkit.oracle.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The load on a directory of the operating system. */
@Timeout(60)
class TasksTest {
    private static final int FILES = 20;

    @TempDir
    private Path root;

    @Test
    void filesAreMadeFoundAndRemoved() throws Exception {
        TreeLoad load = new TreeLoad(new ReadyPlace(), 3, FILES);
        assertThat(load.create().operations()).containsExactly(3 * FILES, 3 * FILES, 2 * FILES);
        String found = Tool.run("find", root, "-type", "f").output();
        assertThat(found.lines()).hasSize(TreeLoad.DIRECTORIES * FILES);
        assertThat(load.find().total()).isEqualTo(TreeLoad.DIRECTORIES * FILES);
        assertThat(load.remove().ends()).hasSize(3);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aMissingFileIsNoticed() throws Exception {
        TreeLoad load = new TreeLoad(new ReadyPlace(), 8, FILES);
        load.create();
        Files.delete(root.resolve("d0000003/f0000007"));
        assertThatThrownBy(load::find).isInstanceOf(FailedCall.class).hasMessageContaining("19 files found");
        assertThatThrownBy(load::remove).isInstanceOf(FailedCall.class).hasMessageContaining("unlink (f0000007)");
    }

    /** Those that are ready must not wait for ever for the one that failed before it was. */
    @Test
    void aTaskThatCannotBeginEndsTheRun() throws Exception {
        Files.createFile(root.resolve("o0000001"));
        assertThatThrownBy(() -> new FchownLoad().run(new MountedPlace(root), 4, 1))
                .isInstanceOf(FailedCall.class)
                .hasMessageContaining("create (o0000001)");
    }

    /** Others use this filesystem too, so its count of inodes says nothing. */
    private final class ReadyPlace implements Place {
        private final Place place = new MountedPlace(root);

        @Override
        public Hands hands(int task) {
            return place.hands(task);
        }

        @Override
        public long usedInodes() {
            return place.usedInodes();
        }

        @Override
        public void awaitUsedInodes(long used) {}

        @Override
        public void settle() {
            place.settle();
        }
    }
}
