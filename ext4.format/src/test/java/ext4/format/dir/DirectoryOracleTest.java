// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.hash.NameHash;
import ext4.format.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories that the kernel wrote. */
class DirectoryOracleTest {
    private static final int SUPERBLOCK = 1024;

    @ParameterizedTest
    @CsvSource({
        "1024, half_md4, metadata_csum, 6000",
        "4096, tea, metadata_csum, 6000",
        "1024, legacy, ^metadata_csum, 5000",
        "2048, half_md4, '^metadata_csum,^filetype', 3000",
    })
    void everyNameOfAKernelDirectoryIsFoundByItsHash(
            int blockSize, String hashName, String features, int count, @TempDir Path dir) throws Exception {
        Oracle.needLoopMount();
        long seed = new Random().nextLong();
        Set<String> expected = names(new Random(seed), count);
        Oracle image = Oracle.make(dir, 64 << 20, "-b", "" + blockSize, "-N", "20000", "-O", features);
        Oracle.run(List.of("tune2fs", "-E", "hash_alg=" + hashName, image.path().toString()));
        image.mounted("", mountPoint -> fill(mountPoint, expected, dir.resolve("script")));

        byte[] superblock = image.read(SUPERBLOCK, 1024);
        boolean csum = (Le.i32(superblock, 0x64) & 0x400) != 0;
        int fsSeed = (Le.i32(superblock, 0x60) & 0x2000) != 0
                ? Le.i32(superblock, 0x270)
                : Crc32c.raw(~0, superblock, 0x68, 16);
        int ino = (int) image.stat("/d", "Inode:");
        int generation = (int) image.stat("/d", "Generation:");
        int inodeSeed = Crc32c.rawLe32(Crc32c.rawLe32(fsSeed, ino), generation);
        int length = (int) (image.stat("/d", "Size:") / blockSize);
        List<byte[]> blocks = new ArrayList<>();
        for (long pblk : image.blocks("/d", length)) {
            blocks.add(image.read(pblk * blockSize, blockSize));
        }
        assertThat(blocks).hasSize(length);

        byte[] root = blocks.get(0);
        int[] hashSeed = new int[4];
        for (int i = 0; i < 4; i++) {
            hashSeed[i] = Le.i32(superblock, 0xEC + 4 * i);
        }
        int version = NameHash.effectiveVersion(DxRoot.hashVersion(root), (Le.i32(superblock, 0x160) & 2) != 0);
        assertThat(DxRoot.hashVersion(root))
                .isEqualTo(List.of("legacy", "half_md4", "tea").indexOf(hashName));
        NameHash hash = NameHash.of(version, hashSeed);
        IndexReader reader = new IndexReader(blocks::get, length, csum, false, hash, inodeSeed);
        assertThat(reader.readAll()).as("seed " + seed).isEqualTo(expected);
        assertThat(reader.leaves()).isGreaterThan(10);
        assertThat(DirEntry.inode(root, 0)).isEqualTo(ino);
        assertThat(DxRoot.parent(root)).isEqualTo(2);
        if (blockSize == 1024) {
            assertThat(DxRoot.levels(root)).isEqualTo(1);
        }
        if (csum) {
            verifyChecksums(blocks, inodeSeed);
        }
        for (String name : expected) {
            assertThat(reader.lookup((name + "~").getBytes(StandardCharsets.ISO_8859_1)))
                    .isFalse();
        }
    }

    private static void verifyChecksums(List<byte[]> blocks, int inodeSeed) {
        for (int i = 0; i < blocks.size(); i++) {
            byte[] b = blocks.get(i);
            byte[] copy = b.clone();
            if (i == 0 || DxNode.looksLikeNode(b)) {
                int base = i == 0 ? DxNode.ROOT : DxNode.NODE;
                assertThat(DxNode.verify(b, base, inodeSeed)).isTrue();
                copy[base + 12]++;
                assertThat(DxNode.verify(copy, base, inodeSeed)).isFalse();
                DxNode.seal(copy, base, inodeSeed);
                assertThat(DxNode.verify(copy, base, inodeSeed)).isTrue();
            } else {
                assertThat(DirTail.verify(b, inodeSeed)).isTrue();
                copy[10]++;
                assertThat(DirTail.verify(copy, inodeSeed)).isFalse();
            }
        }
    }

    /** Names of random bytes, as ISO 8859-1. */
    private static Set<String> names(Random random, int count) {
        Set<String> names = new TreeSet<>();
        while (names.size() < count) {
            StringBuilder name = new StringBuilder();
            int length = 8 + random.nextInt(20);
            for (int i = 0; i < length; i++) {
                int c = 1 + random.nextInt(255);
                name.append((char) (c == '/' || c == '\'' || c == '\n' ? 'e' : c));
            }
            names.add(name.toString());
        }
        return names;
    }

    /** The shell makes the files: a JVM can't name files by bytes outside its locale. */
    private static void fill(Path mountPoint, Set<String> names, Path script) throws Exception {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        lines.writeBytes("set -e\nmkdir d\ncd d\n".getBytes(StandardCharsets.US_ASCII));
        for (String name : names) {
            lines.writeBytes((": > '" + name + "'\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        Files.write(script, lines.toByteArray());
        Process process = new ProcessBuilder("sh", script.toString())
                .directory(mountPoint.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
