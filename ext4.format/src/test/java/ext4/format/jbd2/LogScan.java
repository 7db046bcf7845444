// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.FormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads a dumped journal from its tail to its end and checks every checksum in it. */
final class LogScan {
    private final byte[] journal;
    private final LogFormat format;
    private final int first;
    private final int end;

    /** What was logged where: "block@log block"; and the revoked numbers, in log order. */
    final List<String> logged = new ArrayList<>();

    final List<Long> revoked = new ArrayList<>();
    int transactions;
    int checkedV1;

    LogScan(byte[] journal) {
        this.journal = journal;
        format = LogFormat.of(journal);
        first = JournalSuperblock.first(journal);
        end = JournalSuperblock.logEnd(journal);
    }

    private byte[] block(int logBlock) {
        return Arrays.copyOfRange(journal, logBlock * format.blockSize(), (logBlock + 1) * format.blockSize());
    }

    private int after(int logBlock) {
        return logBlock + 1 == end ? first : logBlock + 1;
    }

    LogScan run() throws FormatException {
        int sequence = JournalSuperblock.sequence(journal);
        int at = JournalSuperblock.start(journal);
        int crc = Crc32Be.START;
        DescriptorReader reader = new DescriptorReader(format);
        for (byte[] b = block(at); BlockHeader.isOf(b, sequence); b = block(at)) {
            int type = BlockHeader.type(b);
            if (type == BlockHeader.COMMIT) {
                commit(b, crc);
                crc = Crc32Be.START;
                sequence++;
            } else if (type == BlockHeader.REVOKE) {
                assertThat(format.verifyTail(b)).isTrue();
                for (int i = 0; i < RevokeBlock.count(format, b, at); i++) {
                    revoked.add(RevokeBlock.fsBlock(format, b, i));
                }
            } else {
                assertThat(type).isEqualTo(BlockHeader.DESCRIPTOR);
                assertThat(format.verifyTail(b)).isTrue();
                crc = Crc32Be.update(crc, b, 0, b.length);
                reader.open(b);
                while (reader.next()) {
                    at = after(at);
                    byte[] data = block(at);
                    crc = Crc32Be.update(crc, data, 0, data.length);
                    logged.add(reader.fsBlock() + "@" + at);
                    assertThat(format.matchesTag(reader.checksum(), sequence, data, 0))
                            .isTrue();
                    assertThat(BlockHeader.hasMagic(data, 0)).isFalse();
                    data[100]++;
                    assertThat(format.matchesTag(reader.checksum(), sequence, data, 0))
                            .isEqualTo(!format.hasChecksum());
                }
            }
            at = after(at);
        }
        return this;
    }

    private void commit(byte[] b, int crc) {
        assertThat(CommitBlock.verify(format, b)).isTrue();
        assertThat(CommitBlock.matchesV1(format, b, crc)).isTrue();
        if (format.hasChecksumV1() && !CommitBlock.matchesV1(format, b, crc + 1)) {
            checkedV1++;
        }
        assertThat(CommitBlock.nanoseconds(b)).isBetween(0, 999_999_999);
        transactions++;
    }
}
