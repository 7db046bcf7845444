// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are written, cut, punched and zeroed at random; a byte array says what they hold, and so do the tools. */
class FileContentTest {
    private static final int MAX = 1 << 20;

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
                "-b 1024",
                "-b 1024 -I 128 -O ^metadata_csum,^64bit",
                "-b 2048 -O orphan_file",
                "-b 4096 -O orphan_file,metadata_csum_seed",
                "-b 4096 -O ^has_journal",
                "-b 1024 -O uninit_bg,^metadata_csum,^flex_bg",
                "-b 4096 -O ^huge_file,meta_bg,^resize_inode",
            })
    void aFileHoldsWhatWasWritten(String options) throws Exception {
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, options.split(" "));
        byte[][] model = new byte[3][0];
        for (int round = 0; round < 3; round++) {
            try (TestMount mount = new TestMount(image, round == 1 ? "global" : "sharded", options())) {
                for (int i = 0; i < model.length; i++) {
                    int ino =
                            round == 0 ? mount.create(TestMount.ROOT, "f" + i) : mount.lookup(TestMount.ROOT, "f" + i);
                    assertThat(mount.read(ino, 0, MAX)).as("seed %d", seed).isEqualTo(model[i]);
                    for (int step = 0; step < 120; step++) {
                        model[i] = change(mount, ino, model[i]);
                        assertThat(mount.stat(ino).size).isEqualTo(model[i].length);
                    }
                    assertThat(mount.read(ino, 0, MAX)).as("seed %d", seed).isEqualTo(model[i]);
                }
            }
            E2fsprogs.assertClean(image, "seed " + seed + " round " + round);
        }
        for (int i = 0; i < model.length; i++) {
            Path dump = folder.resolve("dump");
            E2fsprogs.debugfs(image, false, "dump /f" + i + " " + dump);
            assertThat(Files.readAllBytes(dump)).as("seed %d", seed).isEqualTo(model[i]);
        }
    }

    private static ext4.api.fs.MountOptions options() {
        return ext4.api.fs.MountOptions.DEFAULTS;
    }

    private byte[] change(TestMount mount, int ino, byte[] content) {
        int offset = random.nextInt(MAX);
        int length = 1 + random.nextInt(random.nextBoolean() ? 3000 : 200_000);
        length = Math.min(length, MAX - offset);
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                assertThat(mount.write(ino, offset, bytes)).isEqualTo(length);
                byte[] grown = Arrays.copyOf(content, Math.max(content.length, offset + length));
                System.arraycopy(bytes, 0, grown, offset, length);
                return grown;
            }
            case 2 -> {
                mount.truncate(ino, offset);
                return Arrays.copyOf(content, offset);
            }
            case 3 -> {
                mount.punch(ino, offset, length);
                return zeroed(content, offset, length);
            }
            case 4 -> {
                int keep = random.nextBoolean() ? FileSystem.FALLOC_KEEP_SIZE : 0;
                mount.fs.fallocate(Credentials.ROOT, ino, keep, offset, length);
                return keep != 0 ? content : Arrays.copyOf(content, Math.max(content.length, offset + length));
            }
            default -> {
                int keep = random.nextBoolean() ? FileSystem.FALLOC_KEEP_SIZE : 0;
                mount.fs.fallocate(Credentials.ROOT, ino, FileSystem.FALLOC_ZERO_RANGE | keep, offset, length);
                byte[] grown = keep != 0 ? content : Arrays.copyOf(content, Math.max(content.length, offset + length));
                return zeroed(grown, offset, length);
            }
        }
    }

    private static byte[] zeroed(byte[] content, int offset, int length) {
        byte[] changed = content.clone();
        int end = Math.min(content.length, offset + length);
        if (offset < end) {
            Arrays.fill(changed, offset, end, (byte) 0);
        }
        return changed;
    }
}
