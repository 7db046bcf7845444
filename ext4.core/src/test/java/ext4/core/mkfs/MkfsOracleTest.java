// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** New filesystems before the judges: e2fsck finds nothing, dumpe2fs tells the same as of one by mke2fs, Linux fills it. */
class MkfsOracleTest {
    private static final long MIB = 1L << 20;
    private static final UUID IDENTITY = new UUID(0x0123456789ABCDEFL, 0x8FEDCBA987654321L);

    @TempDir
    Path folder;

    private Path image;

    @BeforeEach
    void needTools() {
        Oracles.needE2fsprogs();
        image = folder.resolve("image");
    }

    private static MkfsOptions options() {
        return new MkfsOptions().uuid(IDENTITY).hashSeed(IDENTITY);
    }

    private void make(long bytes, MkfsOptions options) throws IOException {
        try (ImageFile device = new ImageFile(image, bytes)) {
            Mkfs.run(device, options, new PrintWriter(new StringWriter()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2       | -",
                "8       | -",
                "64      | -",
                "600     | -",
                "5000    | -",
                "64      | ^has_journal,^orphan_file",
                "64      | ^metadata_csum,^metadata_csum_seed",
                "64      | ^metadata_csum,^metadata_csum_seed,uninit_bg",
                "64      | ^metadata_csum,^metadata_csum_seed,uninit_bg,^flex_bg",
                "64      | ^64bit",
                "200     | ^flex_bg",
                "64      | ^resize_inode",
                "64      | ^resize_inode,^sparse_super",
                "64      | sparse_super2",
                "64      | meta_bg,^resize_inode",
                "64      | ^dir_index,^huge_file,^ext_attr,^dir_nlink,^extra_isize",
                "64      | ^filetype",
                "64      | ^large_file",
            })
    void tellsTheSameAsMke2fs(long mib, String features) throws IOException {
        String changes = features.equals("-") ? "" : features;
        Path theirs = folder.resolve("theirs");
        String list = "metadata_csum_seed,orphan_file" + (changes.isEmpty() ? "" : "," + changes);
        E2fsprogs.mke2fs(theirs, mib * MIB, "-O", list, "-U", IDENTITY.toString(), "-E", "hash_seed=" + IDENTITY);
        make(mib * MIB, options().features(changes).zeroed(true));

        E2fsprogs.assertClean(image, mib + " MiB with " + features);
        assertThat(description(image)).isEqualTo(description(theirs));
    }

    /** What dumpe2fs says, but for times, sums, how much was written, and where in the free blocks things lie. */
    private static List<String> description(Path image) {
        return Tool.run("dumpe2fs", image)
                .ok()
                .output()
                .lines()
                .filter(line ->
                        !line.matches("(dumpe2fs |Filesystem created|Last write|Last checked|Lifetime|Checksum:).*"))
                .filter(line ->
                        !line.matches("  (Free blocks:|Block bitmap|Inode bitmap|Inode table).*| .* free blocks,.*"))
                .map(line -> line.replaceAll("( csum 0x[0-9a-f]+)|( \\[.*\\])", ""))
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "^has_journal", "^metadata_csum", "^extent", "^flex_bg", "meta_bg", "sparse_super2", "none"})
    void isCleanWithAllBlockAndInodeSizes(String features) throws IOException {
        for (int blockSize : new int[] {1024, 2048, 4096}) {
            for (int inodeSize : new int[] {128, 256, 1024}) {
                for (int ratio : new int[] {4096, 1 << 20}) {
                    MkfsOptions options = options().features(features).zeroed(true);
                    make(
                            70 * MIB + 3000,
                            options.blockSize(blockSize).inodeSize(inodeSize).inodeRatio(ratio));
                    E2fsprogs.assertClean(image, blockSize + " " + inodeSize + " " + ratio + " " + features);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "^metadata_csum", "^flex_bg", "^extent,^64bit"})
    void overwritesADeviceFullOfSomethingElse(String features) throws IOException {
        byte[] noise = new byte[(int) MIB];
        new Random(7).nextBytes(noise);
        try (ImageFile device = new ImageFile(image, 24 * MIB)) {
            for (long at = 0; at < device.size(); at += MIB) {
                device.write(at, ByteBuffer.wrap(noise));
            }
            Mkfs.run(device, options().features(features), new PrintWriter(new StringWriter()));
        }
        E2fsprogs.assertClean(image, "over noise with " + features);
        make(-1, options().features(features).lazyTables(false));
        E2fsprogs.assertClean(image, "again with whole tables and " + features);
    }

    @Test
    void writesMetadataOnlyOfALargeImage() throws IOException {
        try (ImageFile device = new ImageFile(image, 1L << 40)) {
            Mkfs.run(device, options().zeroed(true), new PrintWriter(new StringWriter()));
            assertThat(device.written()).isBetween(MIB, 64 * MIB);
        }
        assertThat(Tool.run("dumpe2fs", "-h", image).ok().output())
                .contains("Block count:              268435456", "Total journal size:       1024M");
    }

    @Test
    void everyFileSystemThatIsSmallEitherIsCleanOrRefused() throws IOException {
        int made = 0;
        for (long kib = 4; kib < 400; kib += 7) {
            try {
                make(kib << 10, options().zeroed(true));
            } catch (MkfsException e) {
                assertThat(e).hasMessageContaining("too small");
                continue;
            }
            made++;
            E2fsprogs.assertClean(image, kib + " KiB");
        }
        assertThat(made).isGreaterThan(40);
    }

    @Test
    void linuxMountsAndFillsIt() throws IOException {
        Oracles.needKernelMounts();
        for (String features : new String[] {"", "^metadata_csum,^flex_bg", "^extent", "^has_journal"}) {
            make(40 * MIB, options().features(features).label("filled").rootOwner(12, 34));
            try (LoopMount mount = new LoopMount(image, "rw")) {
                assertThat(Files.getAttribute(mount.root(), "unix:uid")).isEqualTo(12);
                fill(mount.root());
            }
            E2fsprogs.assertClean(image, "filled, with " + features);
        }
    }

    private static void fill(Path root) throws IOException {
        byte[] content = new byte[(int) MIB];
        Arrays.fill(content, (byte) 0x5A);
        List<Path> files = new ArrayList<>();
        try {
            while (files.size() < 1000) {
                files.add(root.resolve("file" + files.size()));
                Files.write(files.getLast(), content);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        assertThat(files.size()).isBetween(25, 40);
        Files.delete(files.getFirst());
        for (int i = 0; i < 500; i++) {
            Files.createFile(root.resolve("small" + i));
        }
    }

    /** Growing takes the blocks that the resize inode holds; e2fsck then checks it again. */
    @Test
    void resize2fsGrowsIt() throws IOException {
        Oracles.needTool("resize2fs");
        make(64 * MIB, options().zeroed(true));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(640 * MIB);
        }
        Tool.run("resize2fs", "-f", image).ok();
        E2fsprogs.assertClean(image, "grown");
        assertThat(Tool.run("dumpe2fs", "-h", image).ok().output())
                .contains("Block count:              655360", "resize_inode");
    }
}
