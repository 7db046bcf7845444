// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extent trees of several levels, ones made to mislead, and the block maps of old. */
class ExtentTreeTest {
    private static final int BLOCK = 1024;
    private static final int BLOCKS = 16_000;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());

    @TempDir
    Path folder;

    private Path image;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private void mke2fs(long bytes, String... options) {
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, bytes, options);
    }

    @Test
    void aTreeGrowsThreeLevelsAndShrinksAgain() {
        System.out.println("seed " + seed);
        mke2fs(64L << 20, "-b", "1024");
        List<Integer> order = IntStream.range(0, BLOCKS / 2).boxed().collect(Collectors.toList());
        Collections.shuffle(order, new Random(seed));
        long free;
        try (TestMount mount = new TestMount(image)) {
            free = mount.fs.statfs().free();
            int ino = mount.create(TestMount.ROOT, "f");
            for (int lblk : order) {
                byte[] content = new byte[BLOCK];
                Arrays.fill(content, (byte) lblk);
                mount.write(ino, 2L * lblk * BLOCK, content);
            }
        }
        E2fsprogs.assertClean(image, "written, seed " + seed);
        assertThat(E2fsprogs.debugfs(image, false, "ex /f")).contains(" 2/ 2 ");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.lookup(TestMount.ROOT, "f");
            for (int lblk = 0; lblk < BLOCKS / 2; lblk += 37) {
                assertThat(mount.read(ino, 2L * lblk * BLOCK, 1)).containsExactly((byte) lblk);
                assertThat(mount.read(ino, (2L * lblk + 1) * BLOCK, 1)).matches(b -> b.length == 0 || b[0] == 0);
                assertThat(mount.fs.seek(ino, 2L * lblk * BLOCK, true)).isEqualTo((2L * lblk + 1) * BLOCK);
            }
            Collections.shuffle(order, new Random(seed + 1));
            for (int lblk : order.subList(0, order.size() / 2)) {
                mount.punch(ino, 2L * lblk * BLOCK, BLOCK);
            }
        }
        E2fsprogs.assertClean(image, "punched, seed " + seed);
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.lookup(TestMount.ROOT, "f");
            mount.truncate(ino, 100);
            mount.unlink(TestMount.ROOT, "f");
            mount.fs.forget(ino, 1);
            mount.fs.syncfs();
            assertThat(mount.fs.statfs().free()).isEqualTo(free);
        }
        E2fsprogs.assertClean(image, "removed, seed " + seed);
    }

    @Test
    void unwrittenBlocksBecomeWrittenOneByOne() {
        System.out.println("seed " + seed);
        mke2fs(64L << 20, "-b", "1024");
        Random random = new Random(seed);
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            mount.fs.fallocate(Credentials.ROOT, ino, FileSystem.FALLOC_KEEP_SIZE, 0, 8_000L * BLOCK);
            long sectors = mount.stat(ino).sectors;
            for (int i = 0; i < 2_000; i++) {
                mount.write(ino, (long) random.nextInt(8_000) * BLOCK, new byte[] {1});
            }
            assertThat(mount.stat(ino).sectors).isBetween(sectors, sectors + 200);
            assertThat(mount.stat(ino).size).isLessThanOrEqualTo(8_000L * BLOCK);
        }
        E2fsprogs.assertClean(image, "seed " + seed);
    }

    @Test
    void whatPointsAnywhereElseIsCorrupt() throws Exception {
        mke2fs(16L << 20, "-b", "1024", "-O", "^metadata_csum");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            for (int i = 0; i < 200; i++) {
                mount.write(ino, 2L * i * BLOCK, new byte[] {1});
            }
        }
        long node = nodeBlock();
        int[][] damages = {{6, 3}, {6, 0xFFFF}, {2, 0}, {2, 200}, {4, 9000}, {12 + 8, 0}, {12 + 8, 3}, {12, 77_777}};
        byte[] good = Files.readAllBytes(image);
        for (int[] damage : damages) {
            Files.write(image, good);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.seek(node * BLOCK + damage[0]);
                file.write(damage[1]);
                file.write(damage[1] >>> 8);
            }
            try (TestMount mount = new TestMount(image)) {
                int ino = mount.lookup(TestMount.ROOT, "f");
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 200; i++) {
                                mount.read(ino, 2L * i * BLOCK, 1);
                            }
                        })
                        .as("offset %d, value %d", damage[0], damage[1])
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining("inode 12");
                assertThat(mount.fs.status().get("errors")).startsWith("1,");
            }
        }
    }

    private long nodeBlock() {
        Matcher matcher = Pattern.compile("0/ 1 .*?(\\d+)\\s+\\d+\\s*$", Pattern.MULTILINE)
                .matcher(E2fsprogs.debugfs(image, false, "ex /f"));
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void aBlockMapIsReadExtendedCutAndFreed() throws Exception {
        mke2fs(64L << 20, "-b", "1024", "-O", "^extent,^64bit,^metadata_csum");
        byte[] content = new byte[3_000_000];
        new Random(seed).nextBytes(content);
        Path source = Files.write(folder.resolve("source"), content);
        E2fsprogs.debugfs(image, true, "write " + source + " f");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.lookup(TestMount.ROOT, "f");
            assertThat(mount.read(ino, 0, content.length + 10)).isEqualTo(content);
            assertThat(mount.write(ino, 5000, new byte[] {1, 2, 3})).isEqualTo(3);
            long far = (12 + 256 + 256 * 256 + 5000) * 1024L;
            assertThat(mount.write(ino, far, new byte[] {4, 5})).isEqualTo(2);
            assertThat(mount.stat(ino).sectors).isEqualTo(2 * (2930 + 1 + 1 + 11 + 1 + 3));
            mount.punch(ino, 20_000, 2_000_000);
            mount.truncate(ino, 2_500_000);
            mount.truncate(ino, far);
            System.arraycopy(new byte[] {1, 2, 3}, 0, content, 5000, 3);
            Arrays.fill(content, 20_000, 2_020_000, (byte) 0);
            Arrays.fill(content, 2_500_000, content.length, (byte) 0);
            assertThat(mount.read(ino, 0, content.length)).isEqualTo(content);
            assertThat(mount.fs.seek(ino, 21_000, false)).isEqualTo(2_020_000 / 1024 * 1024);
            assertThatThrownBy(() -> mount.fs.fallocate(Credentials.ROOT, ino, 0, 0, 1))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("not supported");
            int made = mount.create(TestMount.ROOT, "new");
            assertThat(mount.stat(made).flags & 0x80000).as("extents").isZero();
            assertThat(mount.write(made, 0, content)).isEqualTo(content.length);
            assertThat(mount.read(made, 0, content.length)).isEqualTo(content);
            int directory = mount.mkdir(TestMount.ROOT, "d");
            for (int i = 0; i < 2000; i++) {
                mount.fs.forget(mount.create(directory, "name-" + i), 1);
            }
            mount.unlink(TestMount.ROOT, "f");
            mount.fs.forget(ino, 1);
        }
        E2fsprogs.assertClean(image, "seed " + seed);
    }

    @Test
    void aFileEndsWhereItsMapDoes() {
        mke2fs(64L << 20, "-b", "1024");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            long max = ((1L << 32) - 1) * BLOCK;
            assertThat(mount.write(ino, max - 2, new byte[] {1, 2, 3})).isEqualTo(2);
            assertThatThrownBy(() -> mount.write(ino, max, new byte[] {1}))
                    .isInstanceOf(ErrnoException.class)
                    .extracting(e -> ((ErrnoException) e).errno())
                    .isEqualTo(Errno.EFBIG);
            assertThat(mount.read(ino, max - 3, 10)).containsExactly(0, 1, 2);
            mount.truncate(ino, max);
            assertThatThrownBy(() -> mount.truncate(ino, max + 1)).isInstanceOf(ErrnoException.class);
            assertThat(mount.fs.seek(ino, 0, false)).isEqualTo(max - BLOCK);
        }
        E2fsprogs.assertClean(image, "a file of 4 TiB");
    }
}
