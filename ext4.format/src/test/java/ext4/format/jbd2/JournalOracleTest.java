// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.oracle.Oracle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journals that the kernel and debugfs wrote, and journals of ours that e2fsck replays. */
class JournalOracleTest {
    private static final int BLOCK_SIZE = 1024;

    private static byte[] journal(Oracle image) throws Exception {
        Path file = image.path().resolveSibling("journal");
        image.debugfs("dump <8> " + file + "\n");
        return Files.readAllBytes(file);
    }

    private static List<String> matches(
            String output, String regex, java.util.function.Function<MatchResult, String> f) {
        return Pattern.compile(regex).matcher(output).results().map(f).toList();
    }

    private static void assertSameAsLogdump(Oracle image, LogScan scan) throws Exception {
        String dump = image.debugfs("logdump -a\n");
        assertThat(scan.logged)
                .isEqualTo(matches(
                        dump,
                        "FS block ([0-9]+) logged at journal block ([0-9]+)",
                        m -> m.group(1) + "@" + m.group(2)));
        assertThat(scan.revoked.stream().map(String::valueOf).toList())
                .isEqualTo(matches(dump, "Revoke FS block ([0-9]+)", m -> m.group(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "'64bit,metadata_csum', '', 0x12",
        "'^64bit,metadata_csum', '', 0x10",
        "'64bit,^metadata_csum', '', 0x2",
        "'^64bit,^metadata_csum', '', 0",
        "'^64bit,^metadata_csum', journal_checksum, 0",
    })
    void kernelJournalParsesWithAllChecksumsRight(String features, String options, String incompat, @TempDir Path dir)
            throws Exception {
        Oracle image = Oracle.make(dir, 64 << 20, "-b", "" + BLOCK_SIZE, "-J", "size=1", "-O", features);
        Oracle[] crashed = new Oracle[1];
        image.mounted(options, mountPoint -> {
            for (int round = 0; round < 30; round++) {
                Path tree = Files.createDirectory(mountPoint.resolve("tree" + round));
                for (int i = 0; i < 40; i++) {
                    Files.write(tree.resolve("file-with-a-long-name-" + i), new byte[2000]);
                }
                if (round > 0) {
                    Oracle.run(List.of(
                            "rm", "-r", mountPoint.resolve("tree" + (round - 1)).toString()));
                }
                Oracle.run(List.of("sync", "-f", mountPoint.toString()));
            }
            crashed[0] = image.copy("crashed");
        });
        byte[] journal = journal(crashed[0]);
        JournalSuperblock.validate(journal, BLOCK_SIZE, journal.length / BLOCK_SIZE);
        int wanted = Integer.decode(incompat);
        assertThat(JournalSuperblock.incompat(journal) & ~JournalFeature.INCOMPAT_REVOKE)
                .isEqualTo(wanted);
        LogScan scan = new LogScan(journal).run();
        // how much of the log is live is the kernel's choice: it checkpoints when it likes
        assertThat(scan.transactions).isPositive();
        assertThat(scan.logged).isNotEmpty();
        assertThat(scan.checkedV1).isEqualTo(options.isEmpty() ? 0 : scan.transactions);
        assertSameAsLogdump(crashed[0], scan);

        byte[] clean = journal(image);
        JournalSuperblock.validate(clean, BLOCK_SIZE, clean.length / BLOCK_SIZE);
        assertThat(JournalSuperblock.start(clean)).isZero();
        assertThat(JournalSuperblock.head(clean)).isBetween(1, 1023);
    }

    @ParameterizedTest
    @CsvSource({"2, 64bit, 0xB", "3, 64bit, 0x13", "2, ^64bit, 0x9", "3, ^64bit, 0x11"})
    void debugfsJournalParsesWithAllChecksumsRight(String version, String width, String incompat, @TempDir Path dir)
            throws Exception {
        Oracle image =
                Oracle.make(dir, 64 << 20, "-b", "" + BLOCK_SIZE, "-J", "size=1", "-O", "metadata_csum," + width);
        byte[] data = new byte[4 * BLOCK_SIZE];
        new Random(1).nextBytes(data);
        BlockHeader.write(data, 1, 1);
        Path file = Files.write(dir.resolve("data"), data);
        image.debugfs(
                "jo -c -v " + version + "\njw -b 30000,30001,30002 " + file + "\njw -r 30001\njw -b 30005 " + file
                        + "\njc\n",
                "-w");
        byte[] journal = journal(image);
        JournalSuperblock.validate(journal, BLOCK_SIZE, journal.length / BLOCK_SIZE);
        assertThat(JournalSuperblock.incompat(journal)).isEqualTo(Integer.decode(incompat));
        LogScan scan = new LogScan(journal).run();
        assertThat(scan.transactions).isEqualTo(3);
        assertThat(scan.revoked).containsExactly(30001L);
        assertSameAsLogdump(image, scan);
    }

    @ParameterizedTest
    @CsvSource({"0, 7", "2, 7", "8, 7", "0xA, 7", "0x10, 7", "0x12, -1"})
    void e2fsckReplaysWhatWeWrite(String shape, int sequence, @TempDir Path dir) throws Exception {
        boolean csum = (Integer.decode(shape) & 0x18) != 0;
        Oracle image = Oracle.make(
                dir,
                64 << 20,
                "-b",
                "" + BLOCK_SIZE,
                "-J",
                "size=1",
                "-O",
                (csum ? "metadata_csum" : "^metadata_csum") + ",64bit");
        assertThat(image.debugfs("testb 40000 4\n")).doesNotContain("marked in use");
        long[] map = image.blocks("<8>", 1024);
        assertThat(map).hasSize(1024);
        byte[] superblock = image.read(map[0] * BLOCK_SIZE, BLOCK_SIZE);
        JournalSuperblock.setFeatures(superblock, 0, Integer.decode(shape) | JournalFeature.INCOMPAT_REVOKE, 0);
        JournalSuperblock.setStart(superblock, 1021);
        JournalSuperblock.setSequence(superblock, sequence);
        JournalSuperblock.seal(superblock);
        image.write(map[0] * BLOCK_SIZE, superblock);

        byte[][] data = new byte[4][BLOCK_SIZE];
        Random random = new Random(5);
        for (byte[] b : data) {
            random.nextBytes(b);
        }
        BlockHeader.write(data[1], BlockHeader.COMMIT, sequence);
        LogWriter log = new LogWriter(image, map, LogFormat.of(superblock), 1021);
        log.transaction(sequence, new long[0], new long[] {40000, 40001, 40002}, data[0], data[1], data[2]);
        log.transaction(sequence + 1, new long[] {40002}, new long[] {40000}, data[3]);
        needsRecovery(image, csum);

        assertThat(image.e2fsck("-fy")).isIn(0, 1);
        assertThat(image.e2fsck("-fn")).isZero();
        assertThat(image.read(40000L * BLOCK_SIZE, BLOCK_SIZE)).isEqualTo(data[3]);
        assertThat(image.read(40001L * BLOCK_SIZE, BLOCK_SIZE)).isEqualTo(data[1]);
        assertThat(image.read(40002L * BLOCK_SIZE, BLOCK_SIZE)).isEqualTo(new byte[BLOCK_SIZE]);
        assertThat(JournalSuperblock.start(image.read(map[0] * BLOCK_SIZE, BLOCK_SIZE)))
                .isZero();
    }

    @Test
    void e2fsckSeesADamagedBlockThatOurChecksumCovers(@TempDir Path dir) throws Exception {
        Oracle image = Oracle.make(dir, 64 << 20, "-b", "" + BLOCK_SIZE, "-J", "size=1", "-O", "metadata_csum,64bit");
        long[] map = image.blocks("<8>", 1024);
        byte[] superblock = image.read(map[0] * BLOCK_SIZE, BLOCK_SIZE);
        JournalSuperblock.setFeatures(superblock, 0, 0x12, 0);
        JournalSuperblock.setStart(superblock, 1);
        JournalSuperblock.setSequence(superblock, 3);
        JournalSuperblock.seal(superblock);
        image.write(map[0] * BLOCK_SIZE, superblock);
        byte[] data = new byte[BLOCK_SIZE];
        Arrays.fill(data, (byte) 7);
        new LogWriter(image, map, LogFormat.of(superblock), 1).transaction(3, new long[0], new long[] {40000}, data);
        data[9]++;
        image.write(map[2] * BLOCK_SIZE, data);
        needsRecovery(image, true);
        assertThat(image.e2fsck("-fy")).isNotZero();
        assertThat(image.read(40000L * BLOCK_SIZE, BLOCK_SIZE)).isEqualTo(new byte[BLOCK_SIZE]);
    }

    private static void needsRecovery(Oracle image, boolean csum) throws Exception {
        byte[] superblock = image.read(1024, 1024);
        Le.put32(superblock, 0x60, Le.i32(superblock, 0x60) | 4);
        if (csum) {
            Le.put32(superblock, 0x3FC, Crc32c.raw(~0, superblock, 0, 0x3FC));
        }
        image.write(1024, superblock);
    }

    /** Writes whole transactions into the journal of an image. */
    private static final class LogWriter {
        private final Oracle image;
        private final long[] map;
        private final LogFormat format;
        private int next;

        LogWriter(Oracle image, long[] map, LogFormat format, int start) {
            this.image = image;
            this.map = map;
            this.format = format;
            this.next = start;
        }

        private void append(byte[] b) throws Exception {
            image.write(map[next] * BLOCK_SIZE, b);
            next = next + 1 == map.length ? 1 : next + 1;
        }

        void transaction(int sequence, long[] revokes, long[] blocks, byte[]... contents) throws Exception {
            byte[] control = new byte[BLOCK_SIZE];
            if (revokes.length > 0) {
                RevokeBlock.init(format, control, sequence);
                for (long block : revokes) {
                    assertThat(RevokeBlock.add(format, control, block)).isTrue();
                }
                format.sealTail(control);
                append(control);
            }
            DescriptorWriter writer = new DescriptorWriter(format);
            writer.open(control, sequence);
            byte[][] copies = new byte[blocks.length][];
            for (int i = 0; i < blocks.length; i++) {
                copies[i] = contents[i].clone();
                boolean escaped = BlockHeader.hasMagic(copies[i], 0);
                if (escaped) {
                    BlockHeader.escape(copies[i], 0);
                }
                assertThat(writer.add(blocks[i], escaped, format.tagChecksum(sequence, copies[i], 0)))
                        .isTrue();
            }
            writer.finish();
            append(control);
            for (byte[] copy : copies) {
                append(copy);
            }
            CommitBlock.write(format, control, sequence, 1_700_000_000L + sequence, 5);
            append(control);
        }
    }
}
