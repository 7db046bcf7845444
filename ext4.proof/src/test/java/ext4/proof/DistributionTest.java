// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator unpacks works where nothing was built. */
@Timeout(600)
class DistributionTest {
    @TempDir
    Path temp;

    private Path home;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    @BeforeEach
    void unpack() throws IOException {
        Path target = Ext4.command().resolveSibling("ext4.launcher/target");
        try (Stream<Path> files = Files.list(target)) {
            List<Path> archives = files.filter(
                            file -> file.getFileName().toString().matches("ext4-[0-9].*\\.tar\\.gz"))
                    .toList();
            assertThat(archives).as("the distribution in " + target).hasSize(1);
            Tool.run("tar", "-xzf", archives.getFirst(), "-C", temp).ok();
        }
        try (Stream<Path> files = Files.list(temp)) {
            home = files.findFirst().orElseThrow();
        }
    }

    @Test
    void itHoldsWhatItNeedsAndSaysWhatItIs() throws IOException {
        assertThat(home.resolve("README.md")).isNotEmptyFile();
        assertThat(home.resolve("LICENSE")).isNotEmptyFile();
        assertThat(home.resolve("NOTICE")).isNotEmptyFile();
        assertThat(home.resolve("cnf/ext4.mount-example.cfg")).isNotEmptyFile();
        assertThat(Tool.run(home.resolve("bin/ext4").toString(), "--version")
                        .ok()
                        .output())
                .startsWith("ext4 ");
        List<String> listed = Files.readAllLines(home.resolve("bundles.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        try (Stream<Path> jars = Files.find(home.resolve("lib"), 2, (file, is) -> is.isRegularFile())) {
            assertThat(listed)
                    .allMatch(line -> line.matches("[0-9]+ +[\\w.-]+ +[0-9]+(\\.[\\w-]+)+ +lib/[0-9]+/[\\w.-]+\\.jar"))
                    .extracting(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .containsExactlyInAnyOrderElementsOf(
                            jars.map(jar -> home.relativize(jar).toString()).toList());
        }
    }

    @Test
    void itMountsSwitchesAndEndsClean() throws Exception {
        Path image = temp.resolve("a.img");
        E2fsprogs.mke2fs(image, 48L << 20, "-O", "orphan_file");
        Path mnt = Files.createDirectory(temp.resolve("mnt"));
        String file = "ext4.mount-a.cfg";
        String ext4 = home.resolve("bin/ext4").toString();
        try (RunningContainer container = RunningContainer.headless(home, temp.resolve("run.log"))) {
            container.configure(file, "image=" + image, "mountpoint=" + mnt, "orphan.strategy=global");
            container.await(() -> Ext4.isMounted(mnt), mounted -> mounted, "mount");
            try (OpenFileLoad load = new OpenFileLoad(mnt)) {
                load.goOn();
                container.configure(file, "image=" + image, "mountpoint=" + mnt, "orphan.strategy=sharded");
                container.await(
                        () -> container.logged("orphan strategy global -> sharded: "),
                        lines -> !lines.isEmpty(),
                        "switch");
                load.goOn();
                assertThat(Tool.run(ext4, "strategy", mnt).ok().output()).startsWith("current: sharded\n");
            }
            Files.writeString(mnt.resolve("file"), "kept");
            assertThat(container.terminate()).isEqualTo(128 + 15);
        }
        assertThat(Ext4.isMounted(mnt)).isFalse();
        E2fsprogs.assertClean(image, "after SIGTERM");
        assertThat(E2fsprogs.debugfs(image, false, "cat /file")).contains("kept");
    }
}
