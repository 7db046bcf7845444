// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Readme;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of bundles in README.md, and a container that is started with it as it says, by the framework's own main. */
class OwnContainerIT {
    private static final String FRAMEWORK = System.getProperty("ext4.itest.framework");
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    @TempDir
    Path folder;

    private Path image;
    private OwnContainer container;

    @BeforeEach
    void setUp() throws Exception {
        Oracles.needFuse();
        Oracles.needE2fsprogs();
        image = folder.resolve("disk.img");
        Tool.run("mke2fs", "-q", "-t", "ext4", image, "64M").ok();
        Path mountpoint = Files.createDirectory(folder.resolve("mnt"));
        container = OwnContainer.of(FRAMEWORK, Files.createDirectory(folder.resolve("own")), mountpoint);
        container.setUp();
        container.configure(image, "global");
    }

    @AfterEach
    void end() throws Exception {
        if (container != null) {
            container.close();
        }
    }

    @Test
    void aFileMountsAnEditSwitchesTheEndOfTheProcessUnmounts() throws Exception {
        container.start(NATIVE_ACCESS, NATIVE_ACCESS);
        container.awaitMount();
        container.awaitOutput("mounted " + image + " with orphan strategy global");
        container.edit("global", "sharded");
        container.awaitOutput("orphan strategy global -> sharded");
        assertThat(container.output()).doesNotContain("native-access", "ERROR");
        container.end();
        assertThat(container.mounted()).isFalse();
        assertThat(container.frameworkErrors()).isEmpty();
        Tool.run("e2fsck", "-fn", image).ok();
    }

    /** It mounts; the log says in one line what the JVM warns of. */
    @Test
    void whoDoesNotAskForNativeAccessIsTold() throws Exception {
        container.start(NATIVE_ACCESS, "--illegal-native-access=warn");
        container.awaitMount();
        container.awaitOutput("this JVM was started without " + NATIVE_ACCESS);
        container.end();
        Tool.run("e2fsck", "-fn", image).ok();
    }

    @Test
    void whereNativeAccessIsDeniedTheReasonIsTheOption() throws Exception {
        byte[] before = Files.readAllBytes(image);
        container.start(NATIVE_ACCESS, "--illegal-native-access=deny");
        container.awaitOutput("this JVM denies system calls, which a mount needs: start it with " + NATIVE_ACCESS);
        assertThat(container.mounted()).isFalse();
        container.end();
        assertThat(image).hasBinaryContent(before);
    }

    /** So the list is complete, and nothing is in it that isn't there. */
    @Test
    void theListIsWhatTheFolderHolds() throws IOException {
        Map<String, Set<String>> listed =
                Readme.section(Path.of(System.getProperty("ext4.itest.readme")), "## Your own container")
                        .table()
                        .stream()
                        .collect(Collectors.toMap(
                                row -> row.get(0),
                                row -> new TreeSet<>(Arrays.asList(row.get(1).split(", ")))));
        Path lib = Path.of(System.getProperty("ext4.itest.home"), "lib");
        try (Stream<Path> files = Files.find(lib, 2, (file, is) -> is.isRegularFile())) {
            Map<String, Set<String>> there = files.collect(Collectors.groupingBy(
                    file -> file.getParent().getFileName().toString(),
                    Collectors.mapping(
                            file -> file.getFileName().toString().replaceAll("\\.jar$", ""),
                            Collectors.toCollection(TreeSet::new))));
            assertThat(listed).isEqualTo(there);
        }
    }
}
