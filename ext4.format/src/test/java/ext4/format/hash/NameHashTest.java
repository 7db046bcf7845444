// SPDX-License-Identifier: Apache-2.0
package ext4.format.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameHashTest {
    private static final int[] NO_SEED = new int[4];
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] H_E_ACUTE = {'h', (byte) 0xC3, (byte) 0xA9};

    private static long hash(int version, byte[] name) {
        return NameHash.of(version, NO_SEED).hash(name, 0, name.length);
    }

    /** Answers of debugfs dx_hash, e2fsprogs 1.47. */
    @Test
    void knownAnswers() {
        assertThat(hash(NameHash.HALF_MD4, HELLO)).isEqualTo(0x1746da32_420013b5L);
        assertThat(hash(NameHash.TEA, HELLO)).isEqualTo(0x6f5bb1a8_231917c2L);
        assertThat(hash(NameHash.LEGACY, HELLO)).isEqualTo(0x32252546_00000000L);
        assertThat(hash(NameHash.HALF_MD4, new byte[0])).isEqualTo(0xefcdab88_98badcfeL);
        assertThat(hash(NameHash.LEGACY, H_E_ACUTE)).isEqualTo(0xe7177860_00000000L);
        assertThat(hash(NameHash.HALF_MD4, H_E_ACUTE)).isEqualTo(0x4effee6a_146cb2adL);
        assertThat(hash(NameHash.TEA, H_E_ACUTE)).isEqualTo(0x07b59952_5cb208eeL);
        assertThat(hash(NameHash.LEGACY_UNSIGNED, H_E_ACUTE)).isEqualTo(0xcd937c64_00000000L);
        assertThat(hash(NameHash.HALF_MD4_UNSIGNED, H_E_ACUTE)).isEqualTo(0x7f7116d0_daab4f3aL);
        assertThat(hash(NameHash.TEA_UNSIGNED, H_E_ACUTE)).isEqualTo(0x9b3eb2ec_ac70e2c0L);
    }

    @Test
    void seedIsReadAsFourLittleEndianWords() {
        int[] seed = {0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d};
        assertThat(NameHash.of(NameHash.HALF_MD4, seed).hash(HELLO, 0, 5)).isEqualTo(0xe2ddf968_c8bc0924L);
    }

    @Test
    void hashesASliceLikeTheWholeName() {
        byte[] padded = "xxhelloyy".getBytes(StandardCharsets.US_ASCII);
        for (int version = 0; version <= 5; version++) {
            assertThat(NameHash.of(version, NO_SEED).hash(padded, 2, 5)).isEqualTo(hash(version, HELLO));
        }
    }

    /** A seed whose second word is the end mark: the empty name leaves the state as it is. */
    @Test
    void endOfDirectoryMarkIsNeverAHash() {
        int[] seed = {1, 0xFFFFFFFF, 3, 4};
        long hash = NameHash.of(NameHash.HALF_MD4, seed).hash(HELLO, 0, 0);
        assertThat(NameHash.major(hash)).isEqualTo(0xFFFFFFFC);
        assertThat(NameHash.minor(hash)).isEqualTo(3);
    }

    @Test
    void effectiveVersionFollowsTheUnsignedFlag() {
        assertThat(NameHash.effectiveVersion(1, true)).isEqualTo(4);
        assertThat(NameHash.effectiveVersion(1, false)).isEqualTo(1);
        assertThat(NameHash.effectiveVersion(6, true)).isEqualTo(6);
        assertThat(NameHash.isSupported(6)).isFalse();
        assertThatThrownBy(() -> NameHash.of(6, NO_SEED)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void agreesWithDebugfsOnRandomNames(@TempDir Path dir) throws Exception {
        Oracle oracle = Oracle.make(dir, 4 << 20, "-O", "^has_journal");
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        List<byte[]> names = new ArrayList<>();
        List<NameHash> hashes = new ArrayList<>();
        ByteArrayOutputStream script = new ByteArrayOutputStream();
        for (int i = 0; i < 600; i++) {
            byte[] name = randomName(random);
            byte[] seed = new byte[16];
            boolean seeded = i % 2 == 0;
            if (seeded) {
                random.nextBytes(seed);
            }
            int version = random.nextInt(6);
            names.add(name);
            hashes.add(NameHash.of(version, words(seed)));
            script.writeBytes(("dx_hash -h " + version + (seeded ? " -s " + uuid(seed) : "") + " ")
                    .getBytes(StandardCharsets.US_ASCII));
            script.writeBytes(name);
            script.write('\n');
        }
        String output = oracle.debugfs(script.toByteArray());
        Matcher matcher =
                Pattern.compile("is 0x([0-9a-f]+) \\(minor 0x([0-9a-f]+)\\)").matcher(output);
        for (int i = 0; i < names.size(); i++) {
            assertThat(matcher.find()).as("random seed " + randomSeed).isTrue();
            long expected = Long.parseLong(matcher.group(1), 16) << 32 | Long.parseLong(matcher.group(2), 16);
            assertThat(hashes.get(i).hash(names.get(i), 0, names.get(i).length))
                    .as(
                            "random seed %d, name %d, version %d",
                            randomSeed, i, hashes.get(i).version())
                    .isEqualTo(expected);
        }
    }

    /** Any bytes that debugfs' request parser leaves alone. */
    private static byte[] randomName(Random random) {
        byte[] name = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 255 : 40)];
        for (int i = 0; i < name.length; i++) {
            int c;
            do {
                c = 33 + random.nextInt(223);
            } while (c == '"' || c == '#' || c == 0x7F || c == 0x85 || c == 0xA0);
            name[i] = (byte) c;
        }
        if (name[0] == '-') {
            name[0] = 'm';
        }
        return name;
    }

    private static int[] words(byte[] seed) {
        int[] words = new int[4];
        for (int i = 0; i < 16; i++) {
            words[i / 4] |= (seed[i] & 0xFF) << 8 * (i % 4);
        }
        return words;
    }

    private static String uuid(byte[] b) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            s.append(i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "").append(String.format("%02x", b[i]));
        }
        return s.toString();
    }
}
