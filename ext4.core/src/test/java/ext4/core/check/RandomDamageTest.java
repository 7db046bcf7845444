// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One random change at a time in a structure of an image; the checker and e2fsck must agree whether it is clean. Left
 * out are the two places where the checker is stricter, because the kernel is: checksums of descriptors (e2fsck -n
 * ignores them) and the depth in a lower extent node.
 */
class RandomDamageTest {
    private static final int ROUNDS = 60;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"-O ^metadata_csum,^has_journal", "-O ^extent,^64bit,^metadata_csum -I 128", "-O metadata_csum"})
    void agreesWithE2fsck(String options) throws Exception {
        Oracles.needE2fsprogs();
        long seed = Long.getLong("ext4.seed", 20_260_101L);
        Random random = new Random(seed);
        CheckedImage image = CheckedImage.make(folder, options.split(" "));
        byte[] clean = Files.readAllBytes(image.file());
        List<int[]> places = places(image, clean);
        for (int round = 0; round < ROUNDS; round++) {
            int[] place = places.get(random.nextInt(places.size()));
            int at = place[0] + random.nextInt(place[1]);
            byte[] damaged = clean.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            if (random.nextInt(4) == 0) {
                damaged[at] = (byte) random.nextInt(256);
            }
            Files.write(image.file(), damaged);
            CheckedImage.Verdict ours = image.check();
            CheckedImage.Verdict theirs = image.e2fsck();
            assertThat(ours.exit() == 0)
                    .as(
                            "seed %d, round %d, byte %d from %d to %d:%n%s%nbut e2fsck:%n%s",
                            seed, round, at, clean[at], damaged[at], ours.output(), theirs.output())
                    .isEqualTo(theirs.exit() == 0);
        }
    }

    /** Bitmaps, records of the first inodes, and the blocks of two directories: first byte and length. */
    private static List<int[]> places(CheckedImage image, byte[] bytes) throws Exception {
        Superblock sb = Superblock.parse(bytes, Superblock.BYTE_OFFSET);
        int size = sb.blockSize();
        int desc = (int) new GroupLayout(sb).descBlock(0) * size;
        List<int[]> places = new ArrayList<>();
        places.add(new int[] {(int) GroupDesc.blockBitmap(bytes, desc, sb.descSize()) * size, size});
        places.add(new int[] {(int) GroupDesc.inodeBitmap(bytes, desc, sb.descSize()) * size, size});
        int table = (int) GroupDesc.inodeTable(bytes, desc, sb.descSize()) * size;
        for (int ino = 11; ino < 40; ino++) {
            places.add(new int[] {table + (ino - 1) * sb.inodeSize(), 128});
        }
        for (String dir : new String[] {"/", "dir/below"}) {
            String blocks = E2fsprogs.debugfs(image.file(), false, "blocks " + dir);
            String last = blocks.strip().lines().reduce((a, b) -> b).orElseThrow();
            Arrays.stream(last.strip().split("\\s+"))
                    .map(Integer::valueOf)
                    .forEach(block -> places.add(new int[] {block * size, size}));
        }
        return places;
    }
}
