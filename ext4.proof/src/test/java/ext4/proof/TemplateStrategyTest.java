// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The template's jar, as the build makes it, is dropped into a running container's deploy folder and taken away again. */
@Timeout(600)
class TemplateStrategyTest {
    private static final String A = "ext4.mount-a.cfg";

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    @Test
    void aMountedFilesystemIsSwitchedToItAndBackUnderLoad() throws Exception {
        Path image = temp.resolve("a.img");
        E2fsprogs.mke2fs(image, 48L << 20, "-O", "orphan_file");
        Path mnt = Files.createDirectory(temp.resolve("mnt"));
        Path jar = temp.resolve("deploy/template.jar");
        try (RunningContainer container = RunningContainer.withShell(temp)) {
            container.configure(A, "image = " + image, "mountpoint = " + mnt, "orphan.strategy = sharded");
            container.awaitRow(A, mounted(image, mnt, "sharded"));
            try (OpenFileLoad load = new OpenFileLoad(mnt)) {
                load.goOn();
                deploy(jar);
                container.await(
                        () -> container.ask("ext4:strategy " + mnt),
                        lines -> lines.contains("available: global, sharded, template"),
                        "the template among the strategies");
                for (String strategy : List.of("template", "global", "template", "sharded")) {
                    assertThat(container.ask("ext4:strategy " + mnt + " " + strategy))
                            .singleElement()
                            .asString()
                            .contains(" -> " + strategy + ": ");
                    load.goOn();
                }
                Files.delete(jar);
                container.await(
                        () -> container.ask("ext4:strategy " + mnt),
                        lines -> lines.contains("available: global, sharded"),
                        "end of the strategy");
                load.goOn();
            }
            assertThat(container.endInput()).isZero();
        }
        E2fsprogs.assertClean(image, "at the end of the container");
    }

    private static String mounted(Path image, Path directory, String strategy) {
        return A + " " + image + " " + directory + " mounted " + strategy;
    }

    private static void deploy(Path jar) throws IOException {
        Path target = Ext4.command().resolveSibling("ext4.orphan.template/target");
        try (Stream<Path> files = Files.list(target)) {
            Path built = files.filter(
                            file -> file.getFileName().toString().matches("ext4\\.orphan\\.template-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(
                            () -> new AssertionError("no jar in " + target + ": run the reactor up to package first"));
            Path draft = jar.resolveSibling(".template.jar");
            Files.copy(built, draft);
            Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
