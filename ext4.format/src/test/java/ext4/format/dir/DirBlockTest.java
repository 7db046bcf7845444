// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.Le;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirBlockTest {
    private static final int SEED = 0x12345678;

    private static byte[] name(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] newLeaf(int blockSize) {
        byte[] b = new byte[blockSize];
        DirBlock.initEmpty(b, 0, blockSize - DirTail.SIZE);
        DirTail.init(b);
        return b;
    }

    @Test
    void sizesAndOffsets() {
        byte[] b = new byte[64];
        DirEntry.write(b, 4, 20, 0x01020304, 7, name("abcde"), 0, 5);
        assertThat(Arrays.copyOfRange(b, 4, 20))
                .containsExactly(4, 3, 2, 1, 20, 0, 5, 7, 'a', 'b', 'c', 'd', 'e', 0, 0, 0);
        assertThat(DirEntry.size(1)).isEqualTo(12);
        assertThat(DirEntry.size(4)).isEqualTo(12);
        assertThat(DirEntry.size(5)).isEqualTo(16);
        assertThat(DirEntry.size(255)).isEqualTo(264);
        byte[] leaf = newLeaf(1024);
        assertThat(Arrays.copyOfRange(leaf, 1012, 1024)).containsExactly(0, 0, 0, 0, 12, 0, 0, 0xDE, 0, 0, 0, 0);
    }

    @Test
    void oneWalkFindsTheNameOrRoomForIt() throws FormatException {
        long seed = Long.getLong("ext4.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] b = newLeaf(1024);
        int end = DirTail.entriesEnd(b, true);
        for (int step = 0; step < 5000; step++) {
            byte[] name = name("n".repeat(1 + random.nextInt(12)) + random.nextInt(60));
            int found = DirBlock.find(b, 0, end, name, 0);
            int room = DirBlock.findRoom(b, 0, end, name.length, 0);
            int either = DirBlock.findOrRoom(b, 0, end, name, 0);
            if (found >= 0) {
                assertThat(either).isEqualTo(found);
                DirBlock.delete(b, 0, end, found, 0);
            } else if (room >= 0) {
                assertThat(either).isEqualTo(~room);
                DirBlock.insertAt(b, room, name, 0, name.length, 12, 1);
            } else {
                assertThat(either).isEqualTo(DirBlock.NEITHER);
            }
        }
    }

    @Test
    void recordOf64KFollowsTheEscapeRule() throws FormatException {
        byte[] b = new byte[65536];
        DirBlock.initEmpty(b, 0, b.length);
        assertThat(Le.u16(b, 4)).isEqualTo(0xFFFF);
        assertThat(DirEntry.recLen(b, 0)).isEqualTo(65536);
        Le.put16(b, 4, 0);
        assertThat(DirEntry.recLen(b, 0)).isEqualTo(65536);
        assertThat(DirBlock.insert(b, 0, b.length, name("x"), 12, 1, 0)).isZero();
        assertThat(DirBlock.insert(b, 0, b.length, name("y"), 13, 1, 0)).isEqualTo(12);
        assertThat(DirEntry.recLen(b, 12)).isEqualTo(65524);
        DirBlock.validate(b, 0, b.length, 100, 0);
    }

    @Test
    void newDirectoryHasItsDots() throws FormatException {
        byte[] b = new byte[1024];
        int end = DirTail.entriesEnd(1024, true);
        DirBlock.initDots(b, end, 12, 2, FileType.DIRECTORY);
        DirTail.init(b);
        DirTail.seal(b, SEED);
        assertThat(DirTail.verify(b, SEED)).isTrue();
        assertThat(DirTail.verify(b, SEED + 1)).isFalse();
        assertThat(DirTail.entriesEnd(b, true)).isEqualTo(1012);
        DirBlock.validate(b, 0, end, 100, 0);
        assertThat(DirBlock.isEmpty(b, 0, end, 0)).isTrue();
        assertThat(DirEntry.inode(b, DirBlock.find(b, 0, end, name("."), 0))).isEqualTo(12);
        int dotDot = DirBlock.dotDot(b, end, 0);
        assertThat(DirEntry.inode(b, dotDot)).isEqualTo(2);
        DirBlock.setTarget(b, dotDot, 77, FileType.DIRECTORY);
        assertThat(DirEntry.inode(b, DirBlock.find(b, 0, end, name(".."), 0))).isEqualTo(77);
        assertThat(DirBlock.insert(b, 0, end, name("a"), 13, 0, 0)).isEqualTo(24);
        assertThat(DirBlock.isEmpty(b, 0, end, 0)).isFalse();
        DirBlock.delete(b, 0, end, 24, 0);
        assertThat(DirBlock.isEmpty(b, 0, end, 0)).isTrue();
        assertThat(DirBlock.afterDots(b, end, 0)).isEqualTo(end);
    }

    @Test
    void fileTypesMatchModes() {
        int[] modes = {0, 0x8000, 0x4000, 0x2000, 0x6000, 0x1000, 0xC000, 0xA000};
        for (int type = 0; type < modes.length; type++) {
            assertThat(FileType.fromMode(modes[type] | 0755)).isEqualTo(type);
            assertThat(FileType.toMode(type)).isEqualTo(modes[type]);
            assertThat(FileType.toStore(modes[type], false)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 4096, 65536})
    void behavesLikeAMap(int blockSize) throws FormatException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] b = newLeaf(blockSize);
        int end = DirTail.entriesEnd(b, true);
        Map<String, Integer> model = new HashMap<>();
        for (int step = 0; step < 3000; step++) {
            String key = "n".repeat(1 + random.nextInt(random.nextInt(8) == 0 ? 200 : 12)) + random.nextInt(60);
            int at = DirBlock.find(b, 0, end, name(key), 0);
            assertThat(at >= 0).as("seed " + seed).isEqualTo(model.containsKey(key));
            if (at >= 0) {
                assertThat(DirEntry.inode(b, at)).as("seed " + seed).isEqualTo(model.get(key));
            }
            int ino = 1 + random.nextInt(1000);
            if (at < 0 && random.nextInt(3) > 0) {
                boolean roomSaid = DirBlock.largestGap(b, 0, end, 0) >= DirEntry.size(name(key).length);
                int put = DirBlock.insert(b, 0, end, name(key), ino, 1, 0);
                assertThat(put >= 0).as("seed " + seed).isEqualTo(roomSaid);
                if (put >= 0) {
                    model.put(key, ino);
                }
            } else if (at >= 0 && random.nextBoolean()) {
                DirBlock.delete(b, 0, end, at, 0);
                model.remove(key);
            } else if (at >= 0) {
                DirBlock.setTarget(b, at, ino, 2);
                model.put(key, ino);
            }
            DirBlock.validate(b, 0, end, 1000, 0);
            assertThat(DirTail.isPresent(b)).isTrue();
        }
        assertThat(entries(b, end)).as("seed " + seed).isEqualTo(model);
        int used = model.keySet().stream()
                .mapToInt(key -> DirEntry.size(key.length()))
                .sum();
        assertThat(DirBlock.usedBytes(b, 0, end, 0)).as("seed " + seed).isEqualTo(used);
    }

    static Map<String, Integer> entries(byte[] b, int end) throws FormatException {
        Map<String, Integer> all = new HashMap<>();
        for (int at = DirBlock.firstUsed(b, 0, end, 0);
                at < end;
                at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, 0)) {
            all.put(new String(DirEntry.name(b, at), StandardCharsets.UTF_8), DirEntry.inode(b, at));
        }
        return all;
    }

    @Test
    void deletedNamesDoNotStayInTheBlock() throws FormatException {
        byte[] b = newLeaf(1024);
        byte[] untouched = b.clone();
        int end = DirTail.entriesEnd(b, true);
        DirBlock.insert(b, 0, end, name("first-secret"), 12, 1, 0);
        int second = DirBlock.insert(b, 0, end, name("second-secret"), 13, 1, 0);
        DirBlock.delete(b, 0, end, second, 0);
        DirBlock.delete(b, 0, end, 0, 0);
        assertThat(b).isEqualTo(untouched);
        assertThatThrownBy(() -> DirBlock.delete(b, 0, end, 8, 0)).isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> DirBlock.delete(b, 0, end, end, 0)).isInstanceOf(FormatException.class);
    }

    @Test
    void inlineAreasWorkAtAnOffset() throws FormatException {
        byte[] inode = new byte[256];
        DirBlock.initEmpty(inode, 44, 100);
        assertThat(DirBlock.insert(inode, 44, 100, name("abc"), 12, 1, 0)).isEqualTo(44);
        assertThat(DirBlock.insert(inode, 44, 100, name("defg"), 13, 1, 0)).isEqualTo(56);
        DirBlock.extendLast(inode, 44, 100, 120, 0);
        DirBlock.validate(inode, 44, 120, 20, 0);
        assertThat(DirEntry.recLen(inode, 56)).isEqualTo(64);
    }

    @Test
    void validationNamesWhatIsWrong() {
        int end = 1012;
        assertCorrupt("rec_len", b -> Le.put16(b, 4, 10), end);
        assertCorrupt("rec_len", b -> Le.put16(b, 4, 8), end);
        assertCorrupt("rec_len", b -> Le.put16(b, 4, 1016), end);
        assertCorrupt("rec_len", b -> Le.put16(b, 4, 0), end);
        assertCorrupt("rec_len", b -> Le.put16(b, 4, end - 8), end);
        assertCorrupt("rec_len", b -> b[6] = 9, end);
        assertCorrupt("name_len", b -> b[6] = 0, end);
        assertCorrupt("name at", b -> b[8] = '/', end);
        assertCorrupt("name at", b -> b[9] = 0, end);
        assertCorrupt("inode", b -> Le.put32(b, 0, 21), end);
        assertCorrupt("inode", b -> Le.put32(b, 0, -1), end);
    }

    private interface Damage {
        void to(byte[] b);
    }

    private static void assertCorrupt(String field, Damage damage, int end) {
        byte[] b = newLeaf(1024);
        assertThatThrownBy(() -> {
                    DirBlock.insert(b, 0, end, name("abc"), 12, 1, 5);
                    DirBlock.insert(b, 0, end, name("def"), 13, 1, 5);
                    damage.to(b);
                    DirBlock.validate(b, 0, end, 20, 5);
                })
                .isInstanceOfSatisfying(FormatException.class, e -> {
                    assertThat(e.field()).startsWith(field);
                    assertThat(e.block()).isEqualTo(5);
                });
    }

    @Test
    void hostileBytesNeverEscapeTheArrayOrLoop() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 5000; i++) {
            byte[] b = newLeaf(1024);
            int end = 1012;
            try {
                for (int k = 0; k < 10; k++) {
                    DirBlock.insert(b, 0, end, name("name" + k), 12, 1, 0);
                }
                for (int k = 0; k < 1 + i % 4; k++) {
                    b[random.nextInt(i % 2 == 0 ? 200 : 1024)] = (byte) random.nextInt();
                }
                DirBlock.find(b, 0, end, name("name9"), 0);
                DirBlock.insert(b, 0, end, name("more"), 14, 1, 0);
                DirBlock.isEmpty(b, 0, end, 0);
                DirBlock.delete(b, 0, end, 32, 0);
                DirBlock.validate(b, 0, end, 20, 0);
                DirBlock.extendLast(b, 0, end, 1024, 0);
            } catch (FormatException expected) {
                assertThat(expected.structure()).as("seed " + seed).startsWith("directory");
            }
        }
    }
}
