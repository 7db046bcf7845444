// SPDX-License-Identifier: Apache-2.0
package ext4.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Karaf as README.md sets it up: a mount comes up by a file, switches by an edit under load, and ends clean. */
class KarafIT {
    private static final Path ARCHIVES = Path.of(System.getProperty("ext4.karaf.folder"));

    /** Programs at work on the mount until the file is there; the first command that fails ends it with that. */
    private static final String LOAD = """
            mkdir "$1/load"; cd "$1/load"; i=0
            while [ ! -e "$2" ]; do
                for n in 0 1 2 3 4 5 6 7; do echo "line $n" > f$n; done
                exec 4< f7; rm f0 f1 f2 f3 f4 f5 f6 f7
                read -r line <&4; [ "$line" = "line 7" ]; exec 4<&-
                i=$((i + 1)); echo $i > "$3"
            done
            cd ..; rmdir load; echo kept > kept
            """;

    @TempDir
    Path folder;

    @Test
    void aFileMountsAnEditSwitchesTheEndUnmounts() throws Exception {
        Oracles.needFuse();
        Oracles.needE2fsprogs();
        Path image = folder.resolve("disk.img");
        Path mountpoint = Files.createDirectory(folder.resolve("mnt"));
        Tool.run("mke2fs", "-q", "-t", "ext4", image, "64M").ok();
        unpackable("apache-karaf-" + System.getProperty("ext4.karaf.version") + ".tar.gz");
        try (Karaf karaf = new Karaf(folder, image, mountpoint)) {
            karaf.setUp();
            karaf.operate(0);
            karaf.startUntilMounted();
            assertThat(karaf.operate(3)).contains("orphan strategy: global");
            switchUnderLoad(karaf, mountpoint);
            karaf.stop();
            clean(karaf, image);

            karaf.startUntilMounted(); // by the file alone, and as it was switched
            assertThat(mountpoint.resolve("kept")).hasContent("kept");
            assertThat(karaf.operate(3)).contains("orphan strategy: sharded");
            Files.delete(karaf.configuration());
            karaf.await("no mount on " + mountpoint, () -> !karaf.mounted());
            karaf.stop();
            clean(karaf, image);
            assertThat(karaf.log()).doesNotContain("| ERROR |");
        }
    }

    private void switchUnderLoad(Karaf karaf, Path mountpoint) throws Exception {
        Path end = folder.resolve("end");
        Path rounds = folder.resolve("rounds");
        Path said = folder.resolve("said");
        Process load = new ProcessBuilder(
                        "sh", "-euc", LOAD, "load", mountpoint.toString(), end.toString(), rounds.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            karaf.await("the load", () -> ended(load) || Files.exists(rounds));
            karaf.operate(2);
            karaf.await("the switch", () -> ended(load) || sharded(karaf));
            String then = Files.readString(rounds);
            karaf.await("more rounds", () -> ended(load) || !content(rounds).equals(then));
            Files.createFile(end);
            assertThat(load.waitFor()).as(() -> content(said)).isZero();
        } finally {
            load.destroyForcibly();
        }
        assertThat(karaf.log()).contains("orphan strategy global -> sharded");
    }

    private static boolean ended(Process load) {
        return !load.isAlive();
    }

    private static boolean sharded(Karaf karaf) {
        try {
            return karaf.operate(3).contains("orphan strategy: sharded");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void clean(Karaf karaf, Path image) {
        assertThat(karaf.mounted()).isFalse();
        Tool.run("e2fsck", "-fn", image).ok();
    }

    /** The archive where the commands expect it. */
    private void unpackable(String name) throws IOException {
        try (var files = Files.list(ARCHIVES)) {
            Path archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(folder.resolve(name), archive);
        }
    }
}
