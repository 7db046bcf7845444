// SPDX-License-Identifier: Apache-2.0
package ext4.format.extent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.superblock.SuperblockInit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExtentNodeTest {
    private static final int SEED = 0x1234567;

    private final Superblock sb = superblock();

    private static Superblock superblock() {
        byte[] b = new SuperblockInit(Features.NONE.with(Feature.EXTENTS).with(Feature.METADATA_CSUM))
                .blocks(1024, 100_001, 0)
                .groups(8192, 1024, 13 * 1024)
                .inodes(256, 32)
                .bytes();
        SuperblockFields.seal(b, 0);
        try {
            return Superblock.parse(b);
        } catch (FormatException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void insertionsAndRemovalsKeepTheOrderOfAModel() throws FormatException {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        byte[] b = new byte[1024];
        ExtentNode.initBlock(b, 0, 1024, 0);
        List<Integer> model = new ArrayList<>();
        for (int round = 0; round < 2000; round++) {
            String where = "random seed " + randomSeed + " round " + round;
            int lblk = random.nextInt(1000) * 0x400000;
            int at = ExtentNode.search(b, 0, lblk);
            boolean present = at >= 0 && ExtentNode.lblk(b, 0, at) == lblk;
            assertThat(present).as(where).isEqualTo(model.contains(lblk));
            if (present) {
                ExtentNode.remove(b, 0, at, 1);
                model.remove((Integer) lblk);
            } else if (!ExtentNode.isFull(b, 0)) {
                ExtentNode.insertExtent(b, 0, at + 1, lblk, 7, (lblk & 0x400000) != 0, 99);
                model.add(lblk);
            } else {
                int count = 1 + random.nextInt(20);
                int from = random.nextInt(ExtentNode.entries(b, 0) - count);
                model.sort(Integer::compareUnsigned);
                model.subList(from, from + count).clear();
                ExtentNode.remove(b, 0, from, count);
            }
            model.sort(Integer::compareUnsigned);
            assertThat(lblks(b)).as(where).isEqualTo(model);
            if (!model.isEmpty()) {
                ExtentNode.seal(sb, SEED, b, 0);
                ExtentCheck.block(sb, 12, SEED, b, 0, 5, 0, 0, ExtentCheck.END);
            }
        }
    }

    private static List<Integer> lblks(byte[] b) {
        List<Integer> lblks = new ArrayList<>();
        for (int i = 0; i < ExtentNode.entries(b, 0); i++) {
            lblks.add(ExtentNode.lblk(b, 0, i));
        }
        return lblks;
    }

    @Test
    void lengthsWrittenAndUnwritten() {
        byte[] b = new byte[60];
        ExtentNode.initRoot(b, 0);
        ExtentNode.insertExtent(b, 0, 0, 0, 32768, false, 0xFFFF_FFFF_FFFFL);
        assertThat(ExtentNode.length(b, 0, 0)).isEqualTo(32768);
        assertThat(ExtentNode.isUnwritten(b, 0, 0)).isFalse();
        assertThat(ExtentNode.start(b, 0, 0)).isEqualTo(0xFFFF_FFFF_FFFFL);
        ExtentNode.setExtent(b, 0, 0, -1, 32767, true, 5);
        assertThat(Le.u16(b, 16)).isEqualTo(65535);
        assertThat(ExtentNode.length(b, 0, 0)).isEqualTo(32767);
        assertThat(ExtentNode.isUnwritten(b, 0, 0)).isTrue();
        assertThat(ExtentNode.end(b, 0, 0)).isEqualTo(0xFFFF_FFFFL + 32767);
        assertThatThrownBy(() -> ExtentNode.setExtent(b, 0, 0, 0, 32768, true, 5))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mergesWhatContinues() {
        byte[] b = new byte[60];
        ExtentNode.initRoot(b, 0);
        ExtentNode.insertExtent(b, 0, 0, 10, 5, false, 100);
        ExtentNode.insertExtent(b, 0, 1, 15, 6, false, 105);
        ExtentNode.insertExtent(b, 0, 2, 21, 1, true, 111);
        ExtentNode.insertExtent(b, 0, 3, 23, 1, true, 112);
        assertThat(ExtentNode.canMerge(b, 0, 0)).isTrue();
        assertThat(ExtentNode.canMerge(b, 0, 1)).as("written and unwritten").isFalse();
        assertThat(ExtentNode.canMerge(b, 0, 2)).as("a hole between").isFalse();
        assertThat(ExtentNode.canMerge(b, 0, 3)).as("the last").isFalse();
        ExtentNode.merge(b, 0, 0);
        assertThat(ExtentNode.entries(b, 0)).isEqualTo(3);
        assertThat(ExtentNode.length(b, 0, 0)).isEqualTo(11);
        assertThat(ExtentNode.lblk(b, 0, 1)).isEqualTo(21);
        assertThat(ExtentNode.continues(b, 0, 0, 21, 32757, false, 111)).isTrue();
        assertThat(ExtentNode.continues(b, 0, 0, 21, 32758, false, 111)).isFalse();
        assertThat(ExtentNode.continues(b, 0, 0, 21, 1, false, 110)).isFalse();
    }

    @Test
    void aTailMovesToANewNode() {
        byte[] root = new byte[60];
        byte[] block = new byte[1024];
        ExtentNode.initRoot(root, 0);
        ExtentNode.setDepth(root, 0, 1);
        ExtentNode.initBlock(block, 0, 1024, 1);
        for (int i = 0; i < 4; i++) {
            ExtentNode.insertIndex(root, 0, i, i * 100, 0x1234_0000_0000L + i);
        }
        assertThat(ExtentNode.isFull(root, 0)).isTrue();
        assertThatThrownBy(() -> ExtentNode.insertIndex(root, 0, 0, 0, 0)).isInstanceOf(IllegalStateException.class);
        ExtentNode.moveTail(root, 0, 1, block, 0);
        assertThat(ExtentNode.entries(root, 0)).isEqualTo(1);
        assertThat(lblks(block)).containsExactly(100, 200, 300);
        assertThat(ExtentNode.child(block, 0, 2)).isEqualTo(0x1234_0000_0003L);
    }

    private byte[] leaf() {
        byte[] b = new byte[1024];
        ExtentNode.initBlock(b, 0, 1024, 0);
        ExtentNode.insertExtent(b, 0, 0, 10, 5, false, 100);
        ExtentNode.insertExtent(b, 0, 1, 20, 5, true, 200);
        return b;
    }

    private void refused(byte[] b, String field) {
        ExtentNode.seal(sb, SEED, b, 0);
        assertThatThrownBy(() -> ExtentCheck.block(sb, 12, SEED, b, 0, 77, 0, 10, 25))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("extent node of inode 12 in block 77: " + field + " is ");
    }

    @Test
    void aLyingNodeIsRefusedWithItsField() throws FormatException {
        byte[] good = leaf();
        ExtentNode.seal(sb, SEED, good, 0);
        ExtentCheck.block(sb, 12, SEED, good, 0, 77, 0, 10, 25);
        byte[] b = leaf();
        assertThatThrownBy(() -> ExtentCheck.block(sb, 12, SEED, b, 0, 77, 0, 10, 25))
                .hasMessageContaining("eb_checksum");
        ExtentNode.setLblk(b, 0, 0, 9);
        refused(b, "ee_block of entry 0");
        ExtentNode.setLblk(b, 0, 0, 16);
        refused(b, "ee_block of entry 1");
        ExtentNode.setLblk(b, 0, 0, 10);
        ExtentNode.setLblk(b, 0, 1, 21);
        refused(b, "ee_block of entry 1");
        ExtentNode.setExtent(b, 0, 1, 20, 1, false, 100_001);
        refused(b, "ee_start of entry 1");
        ExtentNode.setExtent(b, 0, 1, 20, 1, false, 1);
        refused(b, "ee_start of entry 1");
        Le.put16(b, 28, 0);
        refused(b, "ee_len of entry 1");
        ExtentNode.setExtent(b, 0, 1, 20, 1, false, 100_000);
        ExtentNode.setDepth(b, 0, 1);
        refused(b, "eh_depth");
        ExtentNode.setDepth(b, 0, 0);
        ExtentNode.setEntries(b, 0, 0);
        refused(b, "eh_entries");
        ExtentNode.setEntries(b, 0, 85);
        refused(b, "eh_entries");
        Le.put16(b, 0, 0xF30B);
        refused(b, "eh_magic");
        byte[] wide = leaf();
        Le.put16(wide, 4, 85);
        assertThatThrownBy(() -> ExtentCheck.block(sb, 12, SEED, wide, 0, 77, 0, 10, 25))
                .hasMessageContaining("eh_max is 85");
    }

    @Test
    void randomNodesAreJudgedWithoutLeavingTheArray() {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        for (int round = 0; round < 20_000; round++) {
            byte[] b = new byte[60];
            random.nextBytes(b);
            Le.put16(b, 0, ExtentNode.MAGIC);
            Le.put16(b, 2, random.nextInt(6));
            Le.put16(b, 4, random.nextInt(6));
            Le.put16(b, 6, random.nextInt(7));
            try {
                ExtentCheck.root(sb, 12, b, 0, 5);
                assertThat(ExtentNode.entries(b, 0))
                        .as("random seed " + randomSeed)
                        .isBetween(0, 4);
                assertThat(ExtentNode.depth(b, 0))
                        .as("random seed " + randomSeed)
                        .isBetween(0, 5);
            } catch (FormatException e) {
                assertThat(e.structure()).isEqualTo("extent root of inode 12");
            }
        }
    }
}
