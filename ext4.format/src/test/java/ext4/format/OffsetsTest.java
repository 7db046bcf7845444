// SPDX-License-Identifier: Apache-2.0
package ext4.format;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.extent.ExtentNode;
import ext4.format.group.GroupDesc;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeDtime;
import ext4.format.inode.InodeRecord;
import ext4.format.inode.InodeTimes;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.superblock.SuperblockInit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every field written alone: which bytes change is the field's place, by Documentation/filesystems/ext4. */
class OffsetsTest {
    private static final int OFF = 256;
    private static final int BIG = 0x7FFFFFFF;

    /** A row: what is written, into how many bytes, and the ranges "from+length" that must change. */
    private record Row(String name, Consumer<byte[]> write, int... places) {}

    private static final List<Row> ROWS = new ArrayList<>();

    private static void row(String name, Consumer<byte[]> write, int... places) {
        ROWS.add(new Row(name, write, places));
    }

    static {
        superblock();
        groupDescriptor();
        inode();
        extent();
    }

    private static void superblock() {
        row("s_free_blocks_count", b -> SuperblockFields.setFreeBlocks(b, OFF, -1), 0x0C, 4);
        row("s_free_inodes_count", b -> SuperblockFields.setFreeInodes(b, OFF, -1), 0x10, 4);
        row("s_mtime", b -> SuperblockFields.setMountTime(b, OFF, -1), 0x2C, 4, 0x275, 1);
        row("s_wtime", b -> SuperblockFields.setWriteTime(b, OFF, -1), 0x30, 4, 0x274, 1);
        row("s_mnt_count", b -> SuperblockFields.setMountCount(b, OFF, -1), 0x34, 2);
        row("s_state", b -> SuperblockFields.setState(b, OFF, -1), 0x3A, 2);
        row("s_lastcheck", b -> SuperblockFields.setCheckTime(b, OFF, -1), 0x40, 4, 0x277, 1);
        row("s_block_group_nr", b -> SuperblockFields.setBlockGroupNumber(b, OFF, -1), 0x5A, 2);
        row("s_last_mounted", b -> SuperblockFields.setLastMounted(b, OFF, "x".repeat(80)), 0x88, 64);
        row("s_last_orphan", b -> SuperblockFields.setLastOrphan(b, OFF, -1), 0xE8, 4);
        row("s_mkfs_time", b -> SuperblockFields.setMkfsTime(b, OFF, -1), 0x108, 4, 0x276, 1);
        row("s_kbytes_written", b -> SuperblockFields.setKbytesWritten(b, OFF, -1), 0x178, 8);
        row("s_overhead_clusters", b -> SuperblockFields.setOverheadBlocks(b, OFF, -1), 0x248, 4);
        row("errors", b -> SuperblockFields.recordError(b, OFF, -1, -1, -1, "f".repeat(40), -1, -1), new int[] {
            0x194, 1, 0x198, 0x1D4 - 0x198 + 4, 0x1D8, 0x200 - 0x1D8, 0x278, 4
        });
    }

    private static void groupDescriptor() {
        row("bg_block_bitmap", b -> GroupDesc.setBlockBitmap(b, OFF, 64, -1), 0x00, 4, 0x20, 4);
        row("bg_inode_bitmap", b -> GroupDesc.setInodeBitmap(b, OFF, 64, -1), 0x04, 4, 0x24, 4);
        row("bg_inode_table", b -> GroupDesc.setInodeTable(b, OFF, 64, -1), 0x08, 4, 0x28, 4);
        row("bg_free_blocks_count", b -> GroupDesc.setFreeBlocks(b, OFF, 64, -1), 0x0C, 2, 0x2C, 2);
        row("bg_free_inodes_count", b -> GroupDesc.setFreeInodes(b, OFF, 64, -1), 0x0E, 2, 0x2E, 2);
        row("bg_used_dirs_count", b -> GroupDesc.setUsedDirs(b, OFF, 64, -1), 0x10, 2, 0x30, 2);
        row("bg_flags", b -> GroupDesc.setFlags(b, OFF, -1), 0x12, 2);
        row("bg_block_bitmap_csum", b -> GroupDesc.setBlockBitmapChecksum(b, OFF, 64, -1), 0x18, 2, 0x38, 2);
        row("bg_inode_bitmap_csum", b -> GroupDesc.setInodeBitmapChecksum(b, OFF, 64, -1), 0x1A, 2, 0x3A, 2);
        row("bg_itable_unused", b -> GroupDesc.setItableUnused(b, OFF, 64, -1), 0x1C, 2, 0x32, 2);
        row("bg_block_bitmap, 32 bytes", b -> GroupDesc.setBlockBitmap(b, OFF, 32, -1), 0x00, 4);
        row("bg_free_blocks_count, 32 bytes", b -> GroupDesc.setFreeBlocks(b, OFF, 32, -1), 0x0C, 2);
    }

    private static void inode() {
        row("i_mode", b -> InodeRecord.setMode(b, OFF, -1), 0x00, 2);
        row("i_uid", b -> InodeRecord.setUid(b, OFF, -1), 0x02, 2, 0x78, 2);
        row("i_size", b -> InodeRecord.setSize(b, OFF, -1), 0x04, 4, 0x6C, 4);
        row("i_dtime", b -> InodeDtime.set(b, OFF, -1), 0x14, 4);
        row("i_gid", b -> InodeRecord.setGid(b, OFF, -1), 0x18, 2, 0x7A, 2);
        row("i_links_count", b -> InodeRecord.setLinks(b, OFF, -1), 0x1A, 2);
        row("i_flags", b -> InodeRecord.setFlags(b, OFF, -1), 0x20, 4);
        row("i_block[14]", b -> BlockMap.setRoot(b, OFF, 14, -1), 0x28 + 56, 4);
        row("i_generation", b -> InodeRecord.setGeneration(b, OFF, -1), 0x64, 4);
        row("i_file_acl", b -> InodeRecord.setFileAcl(b, OFF, -1), 0x68, 4, 0x76, 2);
        row("i_version, 128 bytes", b -> InodeRecord.setVersion(b, OFF, 128, -1), 0x24, 4);
        row("i_extra_isize", b -> InodeRecord.setExtraIsize(b, OFF, 256, -1), 0x80, 2);
        row("i_extra_isize, 128 bytes", b -> InodeRecord.setExtraIsize(b, OFF, 128, -1));
        row("i_crtime, 128 bytes", b -> InodeTimes.setCrtime(b, OFF, 128, BIG, 999_999_999));
        row("i_atime, 128 bytes", b -> InodeTimes.setAtime(b, OFF, 128, -1, 1), 0x08, 4);
        row("i_projid, no extra", b -> InodeRecord.setProjectId(b, OFF, 256, -1));
    }

    private static void extent() {
        row("eh_entries", b -> ExtentNode.setEntries(b, OFF, -1), 2, 2);
        row("eh_depth", b -> ExtentNode.setDepth(b, OFF, -1), 6, 2);
        row("ee_block", b -> ExtentNode.setLblk(b, OFF, 0, -1), 12, 4);
        row("ee of entry 1", b -> ExtentNode.setExtent(b, OFF, 1, -1, 0x7FFF, true, -1), 24, 12);
        row("ei of entry 1", b -> ExtentNode.setIndex(b, OFF, 1, -1, -1), 24, 10);
        row("orphan slot 3", b -> OrphanBlock.set(b, 3, -1), 12 - OFF, 4);
    }

    @TestFactory
    List<DynamicTest> aFieldAloneChangesItsOwnBytes() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Row row : ROWS) {
            tests.add(DynamicTest.dynamicTest(row.name, () -> {
                byte[] b = new byte[OFF + 1024];
                row.write.accept(b);
                assertThat(changed(b)).isEqualTo(expected(row.places));
            }));
        }
        return tests;
    }

    @Test
    void theHighHalfOfFreeBlocksIsWrittenWith64bit() {
        byte[] b = new byte[OFF + 1024];
        Le.put32(b, OFF + 0x4C, 1);
        Le.put32(b, OFF + 0x60, 0x80);
        SuperblockFields.setFreeBlocks(b, OFF, 0x1_2345_6789AL);
        assertThat(Le.i32(b, OFF + 0x0C)).isEqualTo(0x3456789A);
        assertThat(Le.i32(b, OFF + 0x158)).isEqualTo(0x12);
        assertThat(SuperblockFields.freeBlocks(b, OFF)).isEqualTo(0x1_2345_6789AL);
    }

    @Test
    void theFieldsOfAWideInodeStandWhereTheyShould() {
        byte[] b = new byte[OFF + 256];
        InodeRecord.initialize(b, OFF, 256, 32);
        InodeTimes.setAtime(b, OFF, 256, 1, 11);
        InodeTimes.setCtime(b, OFF, 256, 2, 12);
        InodeTimes.setMtime(b, OFF, 256, 3, 13);
        InodeTimes.setCrtime(b, OFF, 256, 4, 14);
        InodeRecord.setVersion(b, OFF, 256, 5L << 32 | 6);
        InodeRecord.setProjectId(b, OFF, 256, 7);
        assertThat(new int[] {word(b, 0x08), word(b, 0x0C), word(b, 0x10), word(b, 0x90)})
                .containsExactly(1, 2, 3, 4);
        assertThat(new int[] {word(b, 0x8C), word(b, 0x84), word(b, 0x88), word(b, 0x94)})
                .containsExactly(44, 48, 52, 56);
        assertThat(new int[] {word(b, 0x98), word(b, 0x24), word(b, 0x9C)}).containsExactly(5, 6, 7);
        assertThat(InodeRecord.xattrArea(b, OFF, 256)).isEqualTo(OFF + 160);
        assertThat(InodeRecord.iBlock(OFF)).isEqualTo(OFF + 0x28);
    }

    /** Offset and value of the 32-bit words of the superblock made below. */
    private static final int[][] NEW_SUPERBLOCK_WORDS = {
        {0x00, 99},
        {0x04, 1},
        {0x08, 2},
        {0x14, 0},
        {0x18, 2},
        {0x1C, 2},
        {0x20, 32768},
        {0x24, 32768},
        {0x28, 8192},
        {0x4C, 1},
        {0x54, 11},
        {0x5C, 0x3C},
        {0x60, 0x22C2},
        {0x64, 0x46B},
        {0x68, 0x04030201},
        {0x74, 0x100F0E0D},
        {0xE0, 8},
        {0xEC, 0x14131211},
        {0xF8, 0x201F1E1D},
        {0x100, 0xC},
        {0x144, 0x5A000000},
        {0x148, 3},
        {0x14C, 4},
        {0x150, 1},
        {0x154, 2},
        {0x160, 1},
        {0x24C, 21},
        {0x250, 22},
        {0x270, 0x11223344},
        {0x280, 12}
    };

    @Test
    void aNewSuperblockHasItsFieldsInPlace() {
        byte[] journalMap = new byte[60];
        journalMap[59] = 0x5A;
        byte[] b = new SuperblockInit(new Features(0x3C, 0x2C2 | 0x2000, 0x46B))
                .blocks(4096, 0x1_0000_0001L, 0x2_0000_0002L)
                .groups(32768, 8192, 99)
                .inodes(256, 32)
                .descriptors(64, 1024, 4)
                .identity(new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L), "label")
                .checksumSeed(0x11223344)
                .hash(new UUID(0x1112131415161718L, 0x191A1B1C1D1E1F20L), 1, false)
                .journal(8, journalMap, 0, 0x3_0000_0004L)
                .orphanFile(12)
                .defaultMountOpts(0xC)
                .backupGroups(21, 22)
                .bytes();
        for (int[] word : NEW_SUPERBLOCK_WORDS) {
            assertThat(Le.i32(b, word[0])).as("word 0x%x", word[0]).isEqualTo(word[1]);
        }
        int[] halves = {0x38, 0xEF53, 0x3A, 1, 0x3C, 1, 0x58, 256, 0xCE, 1024, 0xFE, 64, 0x15C, 32, 0x15E, 32};
        for (int i = 0; i < halves.length; i += 2) {
            assertThat(Le.u16(b, halves[i])).as("half 0x%x", halves[i]).isEqualTo(halves[i + 1]);
        }
        assertThat(new int[] {b[0xFC], b[0xFD], b[0x174], b[0x175], b[0x78]}).containsExactly(1, 1, 4, 1, 'l');
        assertThat(b).hasSize(Superblock.SIZE);
    }

    @Test
    void sizesAreThoseOfTheFormat() {
        assertThat(Superblock.SIZE).isEqualTo(1024);
        assertThat(ExtentNode.blockMax(1024)).isEqualTo(84);
        assertThat(ExtentNode.blockMax(2048)).isEqualTo(169);
        assertThat(ExtentNode.blockMax(4096)).isEqualTo(340);
        assertThat(OrphanBlock.slots(4096)).isEqualTo(1022);
        byte[] root = new byte[60];
        ExtentNode.initRoot(root, 0);
        assertThat(Le.i32(root, 0)).isEqualTo(0xF30A);
        assertThat(Le.i32(root, 4)).isEqualTo(4);
        byte[] orphans = new byte[4096];
        OrphanBlock.init(orphans, 4096);
        assertThat(Le.i32(orphans, 4088)).isEqualTo(0x0B10CA04);
    }

    private static int word(byte[] b, int field) {
        return Le.i32(b, OFF + field);
    }

    private static List<Integer> changed(byte[] b) {
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < b.length; i++) {
            if (b[i] != 0) {
                at.add(i - OFF);
            }
        }
        return at;
    }

    private static List<Integer> expected(int... places) {
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < places.length; i += 2) {
            for (int k = 0; k < places[i + 1]; k++) {
                at.add(places[i] + k);
            }
        }
        return at;
    }
}
