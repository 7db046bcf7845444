// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogBlocksTest {
    private static final byte[] UUID = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    static byte[] superblock(int blockSize, int compat, int incompat) {
        byte[] b = new byte[blockSize];
        JournalSuperblock.init(b, blockSize, 1024, UUID, 0);
        JournalSuperblock.setFeatures(b, compat, incompat, 0);
        JournalSuperblock.seal(b);
        return b;
    }

    @Test
    void superblockLayout() throws FormatException {
        byte[] b = superblock(4096, 0, JournalFeature.INCOMPAT_CSUM_V3 | JournalFeature.INCOMPAT_64BIT);
        JournalSuperblock.setStart(b, 0x11);
        JournalSuperblock.setSequence(b, 0x22);
        JournalSuperblock.setErrno(b, -5);
        JournalSuperblock.setHead(b, 0x33);
        JournalSuperblock.seal(b);
        assertThat(Be.i32(b, 0x00)).isEqualTo(0xC03B3998);
        assertThat(Be.i32(b, 0x04)).isEqualTo(4);
        assertThat(Be.i32(b, 0x0C)).isEqualTo(4096);
        assertThat(Be.i32(b, 0x10)).isEqualTo(1024);
        assertThat(Be.i32(b, 0x14)).isEqualTo(1);
        assertThat(Be.i32(b, 0x18)).isEqualTo(0x22);
        assertThat(Be.i32(b, 0x1C)).isEqualTo(0x11);
        assertThat(Be.i32(b, 0x20)).isEqualTo(-5);
        assertThat(Be.i32(b, 0x28)).isEqualTo(0x12);
        assertThat(b[0x30]).isEqualTo((byte) '0');
        assertThat(JournalSuperblock.users(b)).isEqualTo(1);
        assertThat(b[0x50]).isEqualTo((byte) 4);
        assertThat(Be.i32(b, 0x58)).isEqualTo(0x33);
        JournalSuperblock.validate(b, 4096, 1024);
        assertThat(JournalSuperblock.uuid(b)).isEqualTo(UUID);
        b[0x200]++;
        assertThat(JournalSuperblock.verify(b)).isFalse();
    }

    @Test
    void superblockValidationNamesTheField() {
        assertBad("h_magic", 0x00, 1);
        assertBad("h_blocktype", 0x04, 2);
        assertBad("s_blocksize", 0x0C, 1024);
        assertBad("s_maxlen", 0x10, 1025);
        assertBad("s_maxlen", 0x10, 100);
        assertBad("s_maxlen", 0x10, -1);
        assertBad("s_first", 0x14, 0);
        assertBad("s_first", 0x14, 1024);
        assertBad("s_start", 0x1C, 1024);
        assertBad("s_start", 0x1C, -1);
        assertBad("s_feature_incompat", 0x28, 0x18);
        assertBad("s_checksum_type", 0x28, 0x10);
        assertBad("s_num_fc_blks", 0x28, 0x20);
    }

    private static void assertBad(String field, int off, int value) {
        byte[] b = superblock(4096, 0, 0);
        Be.put32(b, off, value);
        assertThatThrownBy(() -> JournalSuperblock.validate(b, 4096, 1024))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.field()).isEqualTo(field));
    }

    @Test
    void versionOneHasNoFeatures() throws FormatException {
        byte[] b = superblock(4096, 0, 0x3F);
        BlockHeader.write(b, BlockHeader.SUPERBLOCK_V1, 0);
        JournalSuperblock.validate(b, 4096, 1024);
        assertThat(JournalSuperblock.incompat(b)).isZero();
        assertThat(LogFormat.of(b).tagSize()).isEqualTo(8);
    }

    @Test
    void fastCommitAreaIsNotInTheRing() throws FormatException {
        byte[] b = new byte[1024];
        JournalSuperblock.init(b, 1024, 2000, UUID, 64);
        JournalSuperblock.setFeatures(b, 0, JournalFeature.INCOMPAT_FAST_COMMIT, 0);
        JournalSuperblock.validate(b, 1024, 2000);
        assertThat(JournalSuperblock.logEnd(b)).isEqualTo(1936);
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "2, 12", "8, 10", "0xA, 14", "0x10, 16", "0x12, 16"})
    void descriptorsRoundTripInEachShape(String incompat, int tagSize) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        LogFormat format = LogFormat.of(superblock(1024, 0, Integer.decode(incompat)));
        assertThat(format.tagSize()).isEqualTo(tagSize);
        long mask = format.is64Bit() ? 0xFFFF_FFFFFFFFL : 0xFFFFFFFFL;
        int sumMask = format.isTagV3() ? -1 : format.isTagV2() ? 0xFFFF : 0;
        DescriptorWriter writer = new DescriptorWriter(format);
        DescriptorReader reader = new DescriptorReader(format);
        byte[] b = new byte[1024];
        for (int round = 0; round < 50; round++) {
            int wanted = round == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(DescriptorWriter.capacity(format));
            long[] blocks = new long[DescriptorWriter.capacity(format)];
            int[] sums = new int[blocks.length];
            boolean[] escaped = new boolean[blocks.length];
            random.nextBytes(b);
            writer.open(b, round);
            int n = 0;
            while (n < wanted && !writer.isFull()) {
                blocks[n] = random.nextLong() & mask;
                sums[n] = random.nextInt();
                escaped[n] = random.nextBoolean();
                assertThat(writer.add(blocks[n], escaped[n], sums[n])).isTrue();
                n++;
            }
            assertThat(writer.isFull() ? !writer.add(1, false, 0) : n == wanted).isTrue();
            writer.finish();
            assertThat(n).isEqualTo(Math.min(wanted, DescriptorWriter.capacity(format)));
            assertThat(BlockHeader.isOf(b, round)).isTrue();
            assertThat(BlockHeader.type(b)).isEqualTo(BlockHeader.DESCRIPTOR);
            assertThat(format.verifyTail(b)).isTrue();
            reader.open(b);
            for (int i = 0; i < n; i++) {
                assertThat(reader.next()).as("seed " + seed).isTrue();
                assertThat(reader.fsBlock()).as("seed " + seed).isEqualTo(blocks[i]);
                assertThat(reader.isEscaped()).as("seed " + seed).isEqualTo(escaped[i]);
                assertThat(reader.checksum() & sumMask).as("seed " + seed).isEqualTo(sums[i] & sumMask);
            }
            assertThat(reader.next()).as("seed " + seed).isFalse();
            assertThat(DescriptorReader.count(format, b)).isEqualTo(n);
            b[20]++;
            assertThat(format.verifyTail(b)).isEqualTo(!format.hasChecksum());
        }
    }

    @Test
    void hostileDescriptorsEnd() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] b = new byte[1024];
        for (int i = 0; i < 2000; i++) {
            LogFormat format = LogFormat.of(superblock(1024, 0, new int[] {0, 2, 8, 0xA, 0x10, 0x12}[i % 6]));
            random.nextBytes(b);
            assertThat(DescriptorReader.count(format, b)).as("seed " + seed).isBetween(1, 127);
        }
    }

    @Test
    void narrowLogsRefuseWideNumbers() {
        LogFormat format = LogFormat.of(superblock(1024, 0, 0));
        DescriptorWriter writer = new DescriptorWriter(format);
        byte[] b = new byte[1024];
        writer.open(b, 1);
        assertThatThrownBy(() -> writer.add(1L << 32, false, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
        RevokeBlock.init(format, b, 1);
        assertThatThrownBy(() -> RevokeBlock.add(format, b, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0", "2", "8", "0x12"})
    void revokesRoundTrip(String incompat) throws FormatException {
        LogFormat format = LogFormat.of(superblock(1024, 0, Integer.decode(incompat)));
        byte[] b = new byte[1024];
        RevokeBlock.init(format, b, 9);
        int n = 0;
        while (RevokeBlock.add(format, b, 1000L + n)) {
            n++;
        }
        format.sealTail(b);
        assertThat(n).isEqualTo(RevokeBlock.capacity(format)).isEqualTo(RevokeBlock.count(format, b, 0));
        for (int i = 0; i < n; i++) {
            assertThat(RevokeBlock.fsBlock(format, b, i)).isEqualTo(1000L + i);
        }
        assertThat(format.verifyTail(b)).isTrue();
        for (int used : new int[] {15, 1025, -1, Integer.MAX_VALUE}) {
            Be.put32(b, 0x0C, used);
            assertThatThrownBy(() -> RevokeBlock.count(format, b, 7))
                    .isInstanceOfSatisfying(
                            FormatException.class, e -> assertThat(e.block()).isEqualTo(7));
        }
    }

    @Test
    void commitsCarryTimeAndChecksum() {
        LogFormat format = LogFormat.of(superblock(1024, 0, JournalFeature.INCOMPAT_CSUM_V3));
        byte[] b = new byte[1024];
        CommitBlock.write(format, b, -1, 0x1_2345_6789L, 999_999_999);
        assertThat(BlockHeader.isOf(b, -1)).isTrue();
        assertThat(CommitBlock.seconds(b)).isEqualTo(0x1_2345_6789L).isEqualTo(Be.i64(b, 0x30));
        assertThat(CommitBlock.nanoseconds(b)).isEqualTo(999_999_999).isEqualTo(Be.i32(b, 0x38));
        assertThat(CommitBlock.verify(format, b)).isTrue();
        b[1023]++;
        assertThat(CommitBlock.verify(format, b)).isFalse();
    }

    @Test
    void crc32BigEndianCheckValue() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(Crc32Be.update(Crc32Be.START, digits, 0, 9)).isEqualTo(0x0376E6E7);
        assertThat(Crc32Be.update(Crc32Be.update(Crc32Be.START, digits, 0, 4), digits, 4, 5))
                .isEqualTo(0x0376E6E7);
    }

    @Test
    void escapeHidesTheMagic() {
        byte[] b = new byte[1024];
        BlockHeader.write(b, 1, 2);
        byte[] copy = b.clone();
        BlockHeader.escape(copy, 0);
        assertThat(BlockHeader.hasMagic(copy, 0)).isFalse();
        BlockHeader.unescape(copy, 0);
        assertThat(copy).isEqualTo(b);
    }
}
