// SPDX-License-Identifier: Apache-2.0
package ext4.format.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

    private static int bitwise32(int seed, byte[] b, int off, int len) {
        int crc = seed;
        for (int i = off; i < off + len; i++) {
            crc ^= b[i] & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0x82F63B78 : crc >>> 1;
            }
        }
        return crc;
    }

    private static byte[] le64(long value) {
        byte[] b = new byte[8];
        for (int i = 0; i < 8; i++) {
            b[i] = (byte) (value >>> (8 * i));
        }
        return b;
    }

    @Test
    void theCheckValueOfCrc32cIsThePublishedOne() {
        assertThat(~Crc32c.raw(Crc32c.START, DIGITS)).isEqualTo(0xE3069283);
        assertThat(~Crc32c.byProcessor(Crc32c.START, DIGITS, 0, 9)).isEqualTo(0xE3069283);
        assertThat(~Crc32c.raw(Crc32c.START, new byte[32])).isEqualTo(0x8A9136AA);
    }

    @Test
    void theCheckValueOfCrc16IsThePublishedOne() {
        assertThat(Crc16.raw(Crc16.START, DIGITS, 0, 9)).isEqualTo(0x4B37);
        assertThat(Crc16.raw(0, DIGITS, 0, 9)).isEqualTo(0xBB3D);
        assertThat(Crc16.rawLe32(7, 0x34333231)).isEqualTo(Crc16.raw(7, DIGITS, 0, 4));
    }

    @Test
    void bothWaysAgreeWithTheBitwiseReferenceForAnySeedAndLength() {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        byte[] b = new byte[5000];
        random.nextBytes(b);
        for (int round = 0; round < 500; round++) {
            int seed = random.nextInt();
            int off = random.nextInt(100);
            int len = round % 10 == 0 ? 4096 : random.nextInt(200);
            int expected = bitwise32(seed, b, off, len);
            String where = "random seed " + randomSeed + " round " + round;
            assertThat(Crc32c.raw(seed, b, off, len)).as(where).isEqualTo(expected);
            assertThat(Crc32c.byTable(seed, b, off, len)).as(where).isEqualTo(expected);
            assertThat(Crc32c.byProcessor(seed, b, off, len)).as(where).isEqualTo(expected);
        }
    }

    @Test
    void numbersAndZerosSumAsTheirBytes() {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        for (int round = 0; round < 200; round++) {
            int seed = random.nextInt();
            long value = random.nextLong();
            String where = "random seed " + randomSeed + " round " + round;
            byte[] bytes = le64(value);
            assertThat(Crc32c.rawLe64(seed, value)).as(where).isEqualTo(bitwise32(seed, bytes, 0, 8));
            assertThat(Crc32c.rawLe32(seed, (int) value)).as(where).isEqualTo(bitwise32(seed, bytes, 0, 4));
            assertThat(Crc32c.rawBe32(seed, Integer.reverseBytes((int) value)))
                    .as(where)
                    .isEqualTo(bitwise32(seed, bytes, 0, 4));
            assertThat(Crc32c.rawZeros(seed, round)).as(where).isEqualTo(bitwise32(seed, new byte[round], 0, round));
        }
    }
}
