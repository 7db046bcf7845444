// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.superblock.SuperblockInit;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InodeTest {
    private static Superblock superblock(int inodeSize, Feature... extra) throws FormatException {
        Features features = Features.NONE.with(Feature.EXTENTS);
        for (Feature feature : extra) {
            features = features.with(feature);
        }
        byte[] b = new SuperblockInit(features)
                .blocks(4096, 32768, 0)
                .groups(32768, 8192, 8192)
                .inodes(inodeSize, inodeSize == 128 ? 0 : 32)
                .identity(new UUID(5, 6), "")
                .bytes();
        SuperblockFields.seal(b, 0);
        return Superblock.parse(b);
    }

    @ParameterizedTest
    @CsvSource({
        // seconds, nanos -> low word, extra word, seconds read, nanos read
        "8589934592, 123456789, 0x00000000, 0x1D6F3456, 8589934592, 123456789",
        "-5, 7, 0xFFFFFFFB, 0x0000001C, -5, 7",
        "0, 0, 0, 0, 0, 0",
        "0x7FFFFFFF, 999999999, 0x7FFFFFFF, 0xEE6B27FC, 0x7FFFFFFF, 999999999",
        "0x80000000, 0, 0x80000000, 1, 0x80000000, 0",
        "-0x80000000, 1, 0x80000000, 4, -0x80000000, 1",
        "0x37FFFFFFF, 1, 0x7FFFFFFF, 7, 0x37FFFFFFF, 1",
        "0x380000000, 5, 0x7FFFFFFF, 3, 0x37FFFFFFF, 0",
        "-0x80000001, 5, 0x80000000, 0, -0x80000000, 0",
        "0x7000000000000000, 5, 0x7FFFFFFF, 3, 0x37FFFFFFF, 0",
    })
    void aTimeWithItsExtraWord(String seconds, int nanos, String low, String extra, String read, int readNanos) {
        byte[] b = new byte[256];
        InodeRecord.setExtraIsize(b, 0, 256, 32);
        InodeTimes.setMtime(b, 0, 256, Long.decode(seconds), nanos);
        assertThat(Le.u32(b, 0x10)).isEqualTo(Long.decode(low));
        assertThat(Le.u32(b, 0x88)).isEqualTo(Long.decode(extra));
        assertThat(InodeTimes.mtime(b, 0, 256)).isEqualTo(Long.decode(read));
        assertThat(InodeTimes.mtimeNanos(b, 0, 256)).isEqualTo(readNanos);
    }

    @ParameterizedTest
    @CsvSource({
        "8589934592, 0x7FFFFFFF",
        "-8589934592, -0x80000000",
        "-5, -5",
        "0x7FFFFFFF, 0x7FFFFFFF",
    })
    void aTimeOfASmallRecordIsClamped(String seconds, String read) {
        for (int extra : new int[] {0, 4}) {
            byte[] b = new byte[256];
            int inodeSize = extra == 0 ? 128 : 256;
            InodeRecord.setExtraIsize(b, 0, inodeSize, extra);
            InodeTimes.setAtime(b, 0, inodeSize, Long.decode(seconds), 9);
            assertThat(InodeTimes.atime(b, 0, inodeSize)).isEqualTo(Long.decode(read));
            assertThat(InodeTimes.atimeNanos(b, 0, inodeSize)).isZero();
            assertThat(InodeTimes.hasCrtime(b, 0, inodeSize)).isFalse();
        }
    }

    @Test
    void nanosecondsOfABrokenRecordStayBelowASecond() {
        byte[] b = new byte[256];
        InodeRecord.setExtraIsize(b, 0, 256, 32);
        Le.put32(b, 0x8C, -1);
        assertThat(InodeTimes.atimeNanos(b, 0, 256)).isEqualTo(999_999_999);
        Arrays.fill(b, 0x80, 0x82, (byte) -1);
        assertThat(InodeRecord.xattrArea(b, 0, 256)).isEqualTo(256);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 1, 0x501, 0",
        "255, 255, 0xFFFF, 0",
        "256, 1, 0, 0x10001",
        "8, 256, 0, 0x100800",
        "4095, 1048575, 0, 0xFFFFFFFF"
    })
    void deviceNumbers(int major, int minor, String first, String second) {
        byte[] b = new byte[128];
        DeviceNumber.set(b, 0, DeviceNumber.of(major, minor));
        assertThat(Le.u32(b, 0x28)).isEqualTo(Long.decode(first));
        assertThat(Le.u32(b, 0x2C)).isEqualTo(Long.decode(second));
        assertThat(DeviceNumber.major(DeviceNumber.get(b, 0))).isEqualTo(major);
        assertThat(DeviceNumber.minor(DeviceNumber.get(b, 0))).isEqualTo(minor);
    }

    @Test
    void spaceIsCountedInSectorsUntilItNeedsBlocks() throws FormatException {
        Superblock huge = superblock(256, Feature.HUGE_FILE);
        Superblock plain = superblock(256);
        byte[] b = new byte[256];
        for (long sectors : new long[] {0, 8, 0xFFFF_FFFFL, 0x1_0000_0000L, 0xFFFF_FFFF_FFFFL, 0x1_0000_0000_0000L}) {
            assertThat(InodeRecord.setSectors(huge, b, 0, sectors)).isTrue();
            assertThat(InodeRecord.sectors(huge, b, 0)).isEqualTo(sectors);
            assertThat(InodeFlags.has(InodeRecord.flags(b, 0), InodeFlags.HUGE_FILE))
                    .isEqualTo(sectors > 0xFFFF_FFFF_FFFFL);
        }
        assertThat(InodeRecord.setSectors(huge, b, 0, 1L << 52)).isFalse();
        assertThat(InodeRecord.setSectors(plain, b, 0, 1L << 32)).isFalse();
        assertThat(InodeRecord.setSectors(plain, b, 0, 7)).isTrue();
        assertThat(InodeRecord.sectors(plain, b, 0)).isEqualTo(7);
    }

    @Test
    void aFastSymlinkIsOneThatHasNoBlockOfItsOwn() throws FormatException {
        Superblock sb = superblock(256);
        byte[] b = new byte[256];
        InodeRecord.setMode(b, 0, FileMode.S_IFLNK | 0777);
        InodeRecord.setSize(b, 0, 59);
        assertThat(InodeRecord.isFastSymlink(sb, b, 0)).isTrue();
        InodeRecord.setFileAcl(b, 0, 77);
        InodeRecord.setSectors(sb, b, 0, 8);
        assertThat(InodeRecord.isFastSymlink(sb, b, 0)).isTrue();
        InodeRecord.setSectors(sb, b, 0, 16);
        assertThat(InodeRecord.isFastSymlink(sb, b, 0)).isFalse();
        InodeRecord.setSectors(sb, b, 0, 8);
        InodeRecord.setSize(b, 0, 60);
        assertThat(InodeRecord.isFastSymlink(sb, b, 0)).isFalse();
    }

    @Test
    void aKeptKeyGivesTheSameChecksum() throws FormatException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int inodeSize : new int[] {128, 256, 512, 1024}) {
            Superblock sb = superblock(inodeSize, Feature.METADATA_CSUM);
            RecordSeal fast = new RecordSeal(sb);
            for (int extra : inodeSize == 128 ? new int[] {0} : new int[] {0, 4, 28, 32}) {
                byte[] expected = new byte[64 + inodeSize];
                random.nextBytes(expected);
                InodeRecord.setExtraIsize(expected, 64, inodeSize, extra);
                byte[] kept = expected.clone();
                int ino = random.nextInt();
                int key = fast.key(ino, InodeRecord.generation(kept, 64), kept, 64);
                for (byte[] both : List.of(expected, kept)) { // fields change, the key stays
                    InodeRecord.setSize(both, 64, seed);
                    InodeTimes.setCtime(both, 64, inodeSize, seed >>> 33, 5);
                    InodeRecord.setProjectId(both, 64, inodeSize, extra);
                }
                InodeChecksum.seal(sb, ino, expected, 64);
                fast.seal(kept, 64, key);
                assertThat(kept)
                        .as("seed " + seed + ", " + inodeSize + " bytes, " + extra + " extra")
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aChecksumHoldsUntilAnyByteChanges() throws FormatException {
        for (int inodeSize : new int[] {128, 256}) {
            Superblock sb = superblock(inodeSize, Feature.METADATA_CSUM);
            byte[] b = new byte[64 + inodeSize];
            assertThat(InodeChecksum.verify(sb, 12, b, 64))
                    .as("a record never used")
                    .isTrue();
            InodeRecord.initialize(b, 64, inodeSize, inodeSize == 128 ? 0 : 32);
            InodeRecord.setMode(b, 64, FileMode.S_IFREG | 0644);
            InodeRecord.setGeneration(b, 64, 0xCAFE);
            InodeChecksum.seal(sb, 12, b, 64);
            InodeRecord.check(sb, 12, b, 64, 5);
            assertThat(InodeChecksum.verify(sb, 13, b, 64)).isFalse();
            for (int i = 64; i < b.length; i++) {
                b[i] ^= 0x10;
                assertThat(InodeChecksum.verify(sb, 12, b, 64))
                        .as("byte " + (i - 64))
                        .isFalse();
                b[i] ^= 0x10;
            }
            b[64 + 0x1A] = 3;
            assertThatThrownBy(() -> InodeRecord.check(sb, 12, b, 64, 5))
                    .isInstanceOf(FormatException.class)
                    .hasMessageStartingWith("inode 12 in block 5: i_checksum is 0x");
        }
    }

    @Test
    void aBrokenRecordIsRefused() throws FormatException {
        Superblock sb = superblock(256);
        byte[] b = new byte[256];
        InodeRecord.setMode(b, 0, FileMode.S_IFREG);
        InodeRecord.setExtraIsize(b, 0, 256, 132);
        assertThatThrownBy(() -> InodeRecord.check(sb, 3, b, 0, 5)).hasMessageContaining("i_extra_isize is 132");
        InodeRecord.setExtraIsize(b, 0, 256, 30);
        assertThatThrownBy(() -> InodeRecord.check(sb, 3, b, 0, 5)).hasMessageContaining("i_extra_isize is 30");
        InodeRecord.setExtraIsize(b, 0, 256, 32);
        InodeRecord.setSize(b, 0, -1);
        assertThatThrownBy(() -> InodeRecord.check(sb, 3, b, 0, 5)).hasMessageContaining("i_size is -1");
    }

    @Test
    void initializeLeavesTheDeletionTime() {
        byte[] b = new byte[256];
        Arrays.fill(b, (byte) 0x77);
        InodeRecord.initialize(b, 0, 256, 32);
        assertThat(InodeDtime.get(b, 0)).isEqualTo(0x77777777);
        InodeDtime.set(b, 0, 0);
        byte[] expected = new byte[256];
        expected[0x80] = 32;
        assertThat(b).isEqualTo(expected);
        assertThat(InodeDtime.deletionTime(5, 1000)).isEqualTo(1000);
        assertThat(InodeDtime.deletionTime(2000, 1000)).isEqualTo(2000);
        assertThat(InodeDtime.deletionTime(1L << 40, 1000)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0, 0, 0, 0, 0, 0",
        "10, 11, 0, 11, 0, 0, 0",
        "10, 12, 1, 12, 0, 0, 0",
        "10, 267, 1, 12, 255, 0, 0",
        "10, 268, 2, 13, 0, 0, 0",
        "10, 65803, 2, 13, 255, 255, 0",
        "10, 65804, 3, 14, 0, 0, 0",
        "10, 16843019, 3, 14, 255, 255, 255",
        "12, 1049611, 2, 13, 1023, 1023, 0",
        "12, 1049612, 3, 14, 0, 0, 0",
    })
    void theWayToABlock(int bits, int lblk, int levels, int s0, int s1, int s2, int s3) {
        assertThat(BlockMap.levels(lblk, bits)).isEqualTo(levels);
        int[] slots = {s0, s1, s2, s3};
        for (int level = 0; level <= levels; level++) {
            assertThat(BlockMap.slot(lblk, bits, level)).isEqualTo(slots[level]);
        }
    }

    @Test
    void blocksBeyondTheMapHaveNoWay() {
        assertThat(BlockMap.levels(16843020, 10)).isEqualTo(-1);
        assertThat(BlockMap.levels(-1, 10)).isEqualTo(-1);
        assertThat(BlockMap.levels(-1, 12)).isEqualTo(-1);
        assertThat(BlockMap.levels(-1, 16)).isEqualTo(3);
    }

    @Test
    void typesGoBothWays() {
        for (int type = 1; type <= 7; type++) {
            assertThat(FileMode.directoryEntryType(FileMode.ofDirectoryEntryType(type) | 0644))
                    .isEqualTo(type);
        }
        assertThat(FileMode.isKnown(0644)).isFalse();
        int all = -1;
        assertThat(InodeFlags.inherited(all, FileMode.S_IFLNK)).isEqualTo(InodeFlags.NODUMP | InodeFlags.NOATIME);
        assertThat(InodeFlags.inherited(all, FileMode.S_IFREG) & InodeFlags.DIRSYNC)
                .isZero();
        assertThat(InodeFlags.inherited(all, FileMode.S_IFDIR)).isEqualTo(InodeFlags.INHERITED);
    }
}
