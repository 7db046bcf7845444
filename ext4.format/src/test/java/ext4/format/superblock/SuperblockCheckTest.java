// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.Le;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuperblockCheckTest {
    private static Features defaults() {
        Features features = Features.NONE;
        for (String name :
                ("has_journal ext_attr dir_index filetype extent 64bit flex_bg sparse_super large_file huge_file"
                                + " dir_nlink extra_isize metadata_csum")
                        .split(" ")) {
            features = features.with(Feature.named(name));
        }
        return features;
    }

    private static byte[] valid(Features features) {
        byte[] b = new SuperblockInit(features)
                .blocks(4096, 4 * 32768 - 100, 5000)
                .groups(32768, 8192, 4 * 8192)
                .inodes(256, 32)
                .descriptors(64, 300, 4)
                .identity(new UUID(1, 2), "test")
                .hash(new UUID(3, 4), 1, true)
                .bytes();
        SuperblockFields.seal(b, 0);
        return b;
    }

    @Test
    void whatInitWritesParses() throws FormatException {
        Superblock sb = Superblock.parse(valid(defaults()));
        assertThat(sb.groupCount()).isEqualTo(4);
        assertThat(sb.blockSize()).isEqualTo(4096);
        assertThat(sb.reservedBlocks()).isEqualTo(5000);
        assertThat(sb.uuid()).isEqualTo(new UUID(1, 2));
        assertThat(sb.volumeName()).isEqualTo("test");
        assertThat(sb.hashUnsigned()).isTrue();
        assertThat(sb.hashSeed()).containsExactly(0, 0x03000000, 0, 0x04000000);
        assertThat(sb.wantExtraIsize()).isEqualTo(32);
        sb.checkDevice((4 * 32768 - 100) * 4096L);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> sb.checkDevice((4 * 32768 - 100) * 4096L - 1))
                .withMessageContaining("s_blocks_count is 130972, expected at most the 130971 blocks of the device");
    }

    @ParameterizedTest
    @CsvSource({
        "0x38, 2, 0xEF54, s_magic",
        "0x4C, 4, 2, s_rev_level",
        "0x175, 1, 2, s_checksum_type",
        "0x18, 4, 7, s_log_block_size",
        "0x18, 4, -1, s_log_block_size",
        "0x1C, 4, 3, s_log_cluster_size",
        "0x58, 2, 0, s_inode_size",
        "0x58, 2, 64, s_inode_size",
        "0x58, 2, 192, s_inode_size",
        "0x58, 2, 8192, s_inode_size",
        "0xFE, 2, 0, s_desc_size",
        "0xFE, 2, 32, s_desc_size",
        "0xFE, 2, 96, s_desc_size",
        "0xFE, 2, 2048, s_desc_size",
        "0x174, 1, 32, s_log_groups_per_flex",
        "0x20, 4, 0, s_blocks_per_group",
        "0x20, 4, 32776, s_blocks_per_group",
        "0x20, 4, 32767, s_blocks_per_group",
        "0x20, 4, -8, s_blocks_per_group",
        "0x24, 4, 32760, s_blocks_per_group",
        "0x28, 4, 0, s_inodes_per_group",
        "0x28, 4, 8200, s_inodes_per_group",
        "0x28, 4, 32784, s_inodes_per_group",
        "0x28, 4, -16, s_inodes_per_group",
        "0x14, 4, 1, s_first_data_block",
        "0x150, 4, 0x10000, s_blocks_count_hi",
        "0x150, 4, 0xFFFF, s_inodes_count",
        "0x04, 4, 0, s_blocks_count",
        "0x04, 4, 1, s_blocks_count",
        "0x04, 4, -1, s_inodes_count",
        "0x00, 4, 8192, s_inodes_count",
        "0x00, 4, 0, s_inodes_count",
        "0x54, 4, 10, s_first_ino",
        "0x54, 4, -1, s_first_ino",
        "0xCE, 2, 1025, s_reserved_gdt_blocks",
    })
    void aLieIsRefusedWithItsField(String at, int bytes, String value, String field) {
        byte[] b = valid(defaults());
        int number = Long.decode(value).intValue();
        switch (bytes) {
            case 1 -> Le.put8(b, Integer.decode(at), number);
            case 2 -> Le.put16(b, Integer.decode(at), number);
            default -> Le.put32(b, Integer.decode(at), number);
        }
        SuperblockFields.seal(b, 0);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Superblock.parse(b))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field))
                .satisfies(e -> assertThat(e.structure()).isEqualTo("superblock"));
    }

    @Test
    void aFrontTableThatCannotFitIsRefused() {
        byte[] b = valid(defaults());
        Le.put32(b, 0x20, 304 - 8);
        Le.put32(b, 0x24, 304 - 8);
        Le.put32(b, 0x28, 16);
        Le.put32(b, 0x00, (4 * 32768 - 100 + 295) / 296 * 16);
        SuperblockFields.seal(b, 0);
        assertThatThrownBy(() -> Superblock.parse(b)).hasMessageContaining("s_reserved_gdt_blocks is 300");
    }

    @Test
    void aWrongChecksumIsRefusedAndShortBytesAreNot1024() {
        byte[] b = valid(defaults());
        b[0x78]++;
        assertThatThrownBy(() -> Superblock.checkIdentity(b, 0)).hasMessageContaining("s_checksum");
        assertThatThrownBy(() -> Superblock.checkIdentity(Arrays.copyOf(b, 1000), 0))
                .hasMessageContaining("length is 1000");
        assertThatThrownBy(() -> Superblock.parse(b, 1)).hasMessageContaining("length is 1023");
    }

    @Test
    void randomBytesEitherParseOrAreRefusedWithEvidence() {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] b = valid(defaults());
            for (int i = random.nextInt(4); i >= 0; i--) {
                Le.put16(b, random.nextInt(0x180), random.nextInt());
            }
            Le.put16(b, 0x38, 0xEF53);
            Le.put32(b, 0x4C, round & 1);
            Le.put8(b, 0x175, 1);
            SuperblockFields.seal(b, 0);
            try {
                Superblock sb = Superblock.parse(b);
                assertThat(sb.groupCount()).as("random seed " + randomSeed).isPositive();
                assertThat(sb.inodeTableBlocks()).isPositive();
                assertThat(sb.descBlocks()).isPositive();
                assertThat(sb.wantExtraIsize()).isBetween(0, sb.inodeSize() - 128);
            } catch (FormatException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void featuresAreNamedAndJudged() {
        Features features =
                new Features(0x4 | 0x400 | 1 << 30, 0x40 | 0x100 | 0x8000 | 1 << 20, 0x400 | 0x100 | 1 << 31);
        assertThat(features.names())
                .containsExactly(
                        "has_journal",
                        "fast_commit",
                        "FEATURE_C30",
                        "extent",
                        "mmp",
                        "inline_data",
                        "FEATURE_I20",
                        "quota",
                        "metadata_csum",
                        "FEATURE_R31");
        assertThat(features.unsupportedIncompat()).containsExactly("mmp", "inline_data", "FEATURE_I20");
        assertThat(features.unsupportedRoCompat()).containsExactly("quota", "FEATURE_R31");
        assertThat(defaults().unsupportedIncompat()).isEmpty();
        assertThat(defaults().unsupportedRoCompat()).isEmpty();
        assertThat(features.without(Feature.MMP).has(Feature.MMP)).isFalse();
        assertThat(Feature.named("no_such_feature")).isNull();
    }

    @Test
    void mutableFieldsKeepTheirNeighbours() throws FormatException {
        byte[] block = new byte[4096];
        System.arraycopy(valid(defaults()), 0, block, 1024, 1024);
        SuperblockFields.setNeedsRecovery(block, 1024, true);
        SuperblockFields.setOrphanPresent(block, 1024, true);
        SuperblockFields.setLastMounted(block, 1024, "/mnt");
        SuperblockFields.recordError(block, 1024, 0x1_0000_0007L, 12, 34, "first", 5, 4);
        SuperblockFields.recordError(block, 1024, 0x1_0000_0009L, 13, 35, "second", 6, 5);
        assertThat(SuperblockFields.verify(block, 1024)).isFalse();
        SuperblockFields.seal(block, 1024);
        Superblock sb = Superblock.parse(block, 1024);
        assertThat(sb.features()).isEqualTo(defaults().with(Feature.RECOVER).with(Feature.ORPHAN_PRESENT));
        assertThat(SuperblockFields.lastMounted(block, 1024)).isEqualTo("/mnt");
        assertThat(SuperblockFields.errorCount(block, 1024)).isEqualTo(2);
        assertThat(SuperblockFields.firstErrorTime(block, 1024)).isEqualTo(0x1_0000_0007L);
        assertThat(SuperblockFields.lastErrorTime(block, 1024)).isEqualTo(0x1_0000_0009L);
        assertThat(SuperblockFields.lastErrorFunction(block, 1024)).isEqualTo("second");
        SuperblockFields.setNeedsRecovery(block, 1024, false);
        assertThat(SuperblockFields.needsRecovery(block, 1024)).isFalse();
        assertThat(SuperblockFields.orphanPresent(block, 1024)).isTrue();
    }
}
