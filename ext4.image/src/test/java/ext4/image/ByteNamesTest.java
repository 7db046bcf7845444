// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteNamesTest {
    @Test
    void everyNameSurvivesTheRoundTrip() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[][] pieces = {
            {(byte) 0xC3, (byte) 0xA9},
            {(byte) 0xF0, (byte) 0x9F, (byte) 0x98, (byte) 0x80},
            {'a'},
            {(byte) 0xED},
            {(byte) 0xA0},
            {(byte) 0xC0},
            {(byte) 0xE2, (byte) 0x82},
            {(byte) 0xF4, (byte) 0x90},
            {(byte) 0xBF}
        };
        for (int i = 0; i < 200_000; i++) {
            byte[] name = new byte[random.nextInt(12)];
            for (int at = 0; at < name.length; ) {
                if (random.nextBoolean()) {
                    name[at++] = (byte) (1 + random.nextInt(255));
                } else {
                    for (byte b : pieces[random.nextInt(pieces.length)]) {
                        if (at < name.length) {
                            name[at++] = b;
                        }
                    }
                }
            }
            String text = ByteNames.decode(name);
            assertThat(ByteNames.encode(text)).as("seed %d, name %d", seed, i).isEqualTo(name);
        }
    }

    @Test
    void utf8IsItself() {
        String name = "gr\u00FC\u00DFe \uD83D\uDE00 \u4F60";
        assertThat(ByteNames.decode(name.getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
        assertThat(ByteNames.encode(name)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void otherBytesAreEscaped() {
        assertThat(ByteNames.decode(new byte[] {'a', (byte) 0xFF, (byte) 0x80})).isEqualTo("a\uDCFF\uDC80");
        assertThat(ByteNames.decode(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}))
                .isEqualTo("\uDCED\uDCA0\uDC80");
    }

    @Test
    void whatNoNameCanBeIsRefused() {
        assertThatThrownBy(() -> ByteNames.encode("a\0b")).isInstanceOf(InvalidPathException.class);
        assertThatThrownBy(() -> ByteNames.encode("\uD800")).isInstanceOf(InvalidPathException.class);
        assertThatThrownBy(() -> ByteNames.encode("\uDC41")).isInstanceOf(InvalidPathException.class);
    }

    @Test
    void nothingInANameReachesTheTerminal() {
        assertThat(ByteNames.escape("a b\\c\n\t\u001B[31m\u007F\u009B\u202E\uDCFF\u00E9"))
                .isEqualTo("a\\ b\\\\c\\n\\t\\033[31m\\177\\302\\233\\342\\200\\256\\377\u00E9");
        assertThat(ByteNames.escapeForMessage("a b")).isEqualTo("a b");
    }
}
