// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexed directories that the kernel wrote, with each hash, looked up name by name and changed here, and the reverse. */
class KernelDirectoriesTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void needKernel() {
        Oracles.needKernelMounts();
    }

    @ParameterizedTest(name = "hash {0}, s_flags {1}, blocks of {2}, {3} names")
    @CsvSource({
        "half_md4, 1, 1024, 14000",
        "half_md4, 2, 1024, 3000",
        "tea, 1, 4096, 3000",
        "tea, 2, 1024, 3000",
        "legacy, 1, 1024, 3000",
        "legacy, 2, 4096, 3000",
    })
    void everyNameIsFound(String hash, int flags, int blockSize, int count) throws Exception {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, "-b", "" + blockSize, "-O", "^has_journal", "-N", "32000");
        E2fsprogs.debugfs(image, true, "set_super_value def_hash_version " + hash);
        E2fsprogs.debugfs(image, true, "set_super_value flags " + flags);
        Map<String, Long> names = new TreeMap<>();
        try (LoopMount mount = new LoopMount(image, "rw")) {
            Path directory = Files.createDirectory(mount.root().resolve("d"));
            for (int i = 0; i < count; i++) {
                String name = name(i);
                Path path = directory.resolve(name);
                Files.createFile(path);
                names.put(name, (Long) Files.getAttribute(path, "unix:ino"));
            }
        }
        lookUpAndChange(image, names);
        E2fsprogs.assertClean(image, "changed here");
        try (LoopMount mount = new LoopMount(image, "rw")) {
            assertThat(list(mount.root().resolve("d"))).isEqualTo(names.keySet());
            for (Map.Entry<String, Long> entry : names.entrySet()) {
                Path path = mount.root().resolve("d").resolve(entry.getKey());
                assertThat(Files.getAttribute(path, "unix:ino")).isEqualTo(entry.getValue());
            }
        }
    }

    private static void lookUpAndChange(Path image, Map<String, Long> names) throws Exception {
        try (TestFileSystem fs = new TestFileSystem(image)) {
            int directory = fs.stat(TestFileSystem.ROOT, "d").ino;
            for (Map.Entry<String, Long> entry : names.entrySet()) {
                assertThat((long) fs.stat(directory, latin(entry.getKey())).ino).isEqualTo(entry.getValue());
            }
            int at = 0;
            for (String name : new TreeSet<>(names.keySet())) {
                if (at++ % 3 == 0) {
                    fs.unlink(directory, latin(name));
                    names.remove(name);
                }
            }
            for (int i = 0; i < 1000; i++) {
                String name = "made here " + name(i);
                names.put(name, (long) fs.create(directory, latin(name)));
            }
        }
    }

    /** The bytes of a name, one a character, as the test filesystem takes them. */
    private static String latin(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String name(int i) {
        // UTF-8 bytes above 0x7F make signed and unsigned hashes differ, if the JVM's file names can carry them
        boolean utf8 = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
        return (i % 2 == 0 && utf8 ? "n\u00e4m\u00e9-\u0416" : "name-") + i + "x".repeat(i % 23);
    }

    private static TreeSet<String> list(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return new TreeSet<>(
                    entries.map(path -> path.getFileName().toString()).toList());
        }
    }
}
