// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static ext4.launcher.Run.ext4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with the container it ships with, which is a process of its own. */
@Timeout(300)
class CommandIT {
    @TempDir
    private Path directory;

    private Path image;
    private Path mnt;

    @BeforeEach
    void makeAnImage() throws Exception {
        image = directory.resolve("a.img");
        mnt = Files.createDirectory(directory.resolve("mnt"));
        assertThat(ext4("mkfs", "-q", "--size", "32M", image.toString()).status())
                .isZero();
    }

    @AfterEach
    void unmountWhatATestLeft() {
        ext4("umount", mnt.toString());
    }

    @Test
    void aMountThroughFuse() throws Exception {
        assumeFuse();
        assertThat(ext4("mount", "-o", "orphan=global", image.toString(), mnt.toString()))
                .isEqualTo(new Run(0, "", ""));
        Path file = mnt.resolve("file");
        Files.writeString(file, "hello");
        assertThat(ext4("strategy", mnt.toString()).out())
                .isEqualTo("current: global\nnamed: global\navailable: global, sharded\n");
        assertThat(ext4("strategy", mnt.toString(), "sharded").out())
                .matches("global -> sharded: 0 orphans carried, pause [0-9]+ us, [0-9]+ orphan records flushed\n");
        assertThat(ext4("strategy", mnt.toString(), "fast"))
                .isEqualTo(
                        new Run(1, "", "ext4: strategy: unknown orphan strategy 'fast'; available: global, sharded\n"));
        assertThat(ext4("mount", image.toString(), mnt.toString()))
                .isEqualTo(new Run(1, "", "ext4: mount: " + mnt.toRealPath() + ": already mounted\n"));
        assertThat(ext4("status", mnt.toString()).out())
                .contains("state: mounted", "orphan strategy: sharded", "features: ", "journal: running");
        assertThat(Files.readString(file)).isEqualTo("hello");
        assertThat(ext4("umount", mnt.toString())).isEqualTo(new Run(0, "", ""));
        assertThat(file).doesNotExist();
        assertClean();
    }

    @Test
    void plainUmountAndSigtermLeaveACleanImage() throws Exception {
        assumeFuse();
        assertThat(ext4("mount", image.toString(), mnt.toString()).status()).isZero();
        ProcessHandle server = server();
        Files.writeString(mnt.resolve("one"), "1");
        assertThat(new ProcessBuilder("umount", mnt.toString()).start().waitFor())
                .isZero();
        assertThat(server.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
        assertClean();

        assertThat(ext4("mount", image.toString(), mnt.toString()).status()).isZero();
        assertThat(mnt.resolve("one")).hasContent("1");
        server = server();
        // busy: a file is open while the process is told to end
        try (var open = Files.newByteChannel(mnt.resolve("one"))) {
            assertThat(ext4("umount", mnt.toString()).err()).endsWith(": target is busy\n");
            assertThat(open.size()).isEqualTo(1);
            server.destroy();
            assertThat(server.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
        }
        assertThat(mnt.resolve("one")).doesNotExist();
        assertClean();
    }

    /** Otherwise nobody would tell how the mount went, and the command would wait for ever. */
    @Test
    void aContainerThatIsNotCompleteIsNamed() throws Exception {
        Path home = Path.of(System.getProperty("ext4.home"));
        Path broken = directory.resolve("home");
        for (Path part : new Path[] {home.resolve("lib"), home.resolve("cnf"), home.resolve("boot")}) {
            copy(part, broken.resolve(part.getFileName()));
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "ext4.mount");
        manifest.getMainAttributes().putValue("Import-Package", "no.such.thing");
        Path jar = broken.resolve("lib/6/ext4.mount.jar");
        Files.delete(jar);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        System.setProperty("ext4.home", broken.toString());
        try {
            Run run = ext4("mount", "--transport=none", image.toString(), mnt.toString());
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("the container is not complete: ext4.mount did not start");
        } finally {
            System.setProperty("ext4.home", home.toString());
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.createDirectories(target.getParent());
                Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void withoutFuseItIsServedInProcess() throws Exception {
        assertThat(ext4("mount", "--transport=none", "-o", "orphan=sharded", image.toString(), mnt.toString()))
                .isEqualTo(new Run(0, "", ""));
        assertThat(ext4("strategy", mnt.toString(), "global").out()).startsWith("sharded -> global: ");
        assertThat(ext4("status", mnt.toString()).out()).contains("orphan strategy: global", "transport: none");
        Path second = Files.createDirectory(directory.resolve("second"));
        assertThat(ext4("mount", "--transport=none", image.toString(), second.toString())
                        .err())
                .startsWith("ext4: mount: " + image.toRealPath() + ": in use by ")
                .hasLineCount(1);
        assertThat(ext4("umount", mnt.toString()).status()).isZero();
        assertClean();
    }

    @Test
    void aBadImageIsOneLineAndStaysAsItIs() throws Exception {
        Path zeros = directory.resolve("zeros.img");
        Files.write(zeros, new byte[1 << 20]);
        assertRefused(zeros, "");
        Path tiny = directory.resolve("tiny.img");
        Files.writeString(tiny, "not a filesystem");
        assertRefused(tiny, "");
        byte[] bytes = Files.readAllBytes(image);
        bytes[1024 + 0x78] ^= 1; // the volume name, below the checksum
        Path damaged = Files.write(directory.resolve("damaged.img"), bytes);
        assertRefused(damaged, "");
        assertRefused(image, "unknown orphan strategy 'fast'; available: global, sharded", "-o", "orphan=fast");
        assertRefused(image, "unknown mount option 'nonsense'", "-o", "nonsense");
    }

    @Test
    void theDemoInSmall() {
        Run demo = ext4("demo", "--in-process", "--files", "30", "--size", "64M");
        assertThat(demo.out()).contains("in-process", "global -> sharded: ", "== no call failed, the image is clean");
        assertThat(demo.status()).isZero();
    }

    private void assertRefused(Path refused, String reason, String... options) throws Exception {
        String before = hash(refused);
        List<String> words = new ArrayList<>(List.of("mount", "--transport=none"));
        words.addAll(List.of(options));
        words.addAll(List.of(refused.toString(), mnt.toString()));
        Run run = ext4(words.toArray(String[]::new));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("ext4: mount: ")
                .contains(refused.toString(), reason)
                .hasLineCount(1);
        assertThat(hash(refused)).isEqualTo(before);
    }

    private static String hash(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private void assertClean() {
        Run check = ext4("check", image.toString());
        assertThat(check.status()).as(check.out()).isZero();
        assertThat(ext4("info", image.toString()).out())
                .containsPattern("Filesystem state: +clean")
                .doesNotContain("needs_recovery");
    }

    private ProcessHandle server() throws IOException {
        String command = mnt.toRealPath().toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .map(words ->
                                List.of(words).contains("-f") && List.of(words).contains(command))
                        .orElse(false))
                .findFirst()
                .orElseThrow();
    }

    private static void assumeFuse() {
        assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "/dev/fuse can't be opened by this user");
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
    }
}
