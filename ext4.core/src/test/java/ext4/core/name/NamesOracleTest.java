// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Credentials;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of names come, move and go; e2fsck finds nothing, and the kernel lists what a map says. */
class NamesOracleTest {
    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(
            strings = {
                "-b 1024 -O ^has_journal",
                "-b 1024 -I 128 -O ^has_journal,^metadata_csum,^64bit",
                "-b 4096 -O ^has_journal",
                "-b 2048 -O ^has_journal,^dir_index",
                "-b 1024 -O ^has_journal,^filetype,uninit_bg,^metadata_csum"
            })
    void aTreeThatChanges(String options) throws Exception {
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, (options + " -N 16000").split(" "));
        Map<String, Integer> model = new TreeMap<>();
        try (TestFileSystem fs = new TestFileSystem(image)) {
            change(fs, model);
        }
        E2fsprogs.assertClean(image, "seed " + seed);
        try (TestFileSystem fs = new TestFileSystem(image)) {
            assertThat(list(fs, TestFileSystem.ROOT)).isEqualTo(model.keySet());
            for (Map.Entry<String, Integer> entry : model.entrySet()) {
                assertThat(fs.stat(TestFileSystem.ROOT, entry.getKey()).ino).isEqualTo(entry.getValue());
            }
        }
        compareWithKernel(image, model);
    }

    private void change(TestFileSystem fs, Map<String, Integer> model) {
        List<String> names = new ArrayList<>();
        int root = TestFileSystem.ROOT;
        for (int step = 0; step < 9_000; step++) {
            int kind = random.nextInt(20);
            if (kind < 11 || names.isEmpty()) {
                String name = name(step);
                model.put(name, kind == 0 ? fs.mkdir(root, name) : fs.create(root, name));
                names.add(name);
            } else if (kind < 15) {
                int at = random.nextInt(names.size());
                String old = names.get(at);
                String name = name(step);
                fs.rename(root, old, root, name, 0);
                model.put(name, model.remove(old));
                names.set(at, name);
            } else {
                int at = random.nextInt(names.size());
                String name = names.get(at);
                names.set(at, names.getLast());
                names.removeLast();
                boolean directory = (fs.stat(root, name).mode & 0170000) == 0040000;
                if (directory) {
                    fs.rmdir.rmdir(Credentials.ROOT, root, TestFileSystem.bytes(name));
                } else {
                    fs.unlink(root, name);
                }
                model.remove(name);
            }
            if (step % 500 == 0) {
                fs.runEvictions();
            }
        }
    }

    private String name(int step) {
        StringBuilder name = new StringBuilder(Integer.toString(step, 36)).append('-');
        int length = random.nextInt(30) == 0 ? random.nextInt(250) : random.nextInt(40);
        while (name.length() < length) {
            name.append((char) ('a' + random.nextInt(26)));
        }
        return name.toString();
    }

    private static TreeSet<String> list(TestFileSystem fs, int directory) {
        TreeSet<String> names = new TreeSet<>();
        long[] cookie = new long[1];
        boolean[] full = new boolean[1];
        do {
            int[] room = {100};
            full[0] = false;
            fs.readdir.readdir(directory, cookie[0], (next, ino, mode, name, offset, length) -> {
                if (room[0]-- == 0) {
                    full[0] = true;
                    return false;
                }
                String text = new String(name, offset, length, StandardCharsets.ISO_8859_1);
                if (!text.equals(".") && !text.equals("..") && !text.equals("lost+found")) {
                    assertThat(names.add(text)).as("once: " + text).isTrue();
                    assertThat(mode & 0170000).isIn(0100000, 0040000);
                }
                cookie[0] = next;
                return true;
            });
        } while (full[0]);
        return names;
    }

    private static void compareWithKernel(Path image, Map<String, Integer> model) throws Exception {
        Oracles.needKernelMounts();
        try (LoopMount mount = new LoopMount(image, "rw")) {
            try (var entries = Files.list(mount.root())) {
                TreeSet<String> names = new TreeSet<>(
                        entries.map(path -> path.getFileName().toString()).toList());
                names.remove("lost+found");
                assertThat(names).isEqualTo(model.keySet());
            }
            for (Map.Entry<String, Integer> entry : model.entrySet()) {
                Path path = mount.root().resolve(entry.getKey());
                assertThat(Files.getAttribute(path, "unix:ino")).isEqualTo((long) entry.getValue());
            }
            for (String name : model.keySet()) {
                Files.delete(mount.root().resolve(name));
            }
        }
        E2fsprogs.assertClean(image, "after the kernel removed everything");
    }
}
