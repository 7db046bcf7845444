// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

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
import org.junit.jupiter.params.provider.CsvSource;

class XattrListTest {
    private static byte[] name(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }

    private static XattrArea newArea(byte[] b, boolean inBlock, int inodeSize) {
        if (inBlock) {
            XattrBlock.init(b);
            return XattrArea.ofBlock(b.length);
        }
        XattrArea area = XattrArea.ofInode(1024, inodeSize, 32);
        area.init(b);
        return area;
    }

    @Test
    void layoutInTheInode() throws FormatException {
        byte[] b = new byte[512];
        XattrArea area = XattrArea.ofInode(256, 256, 32);
        assertThat(area.isPresent(b)).isFalse();
        area.init(b);
        assertThat(area.isPresent(b)).isTrue();
        assertThat(XattrList.set(area, b, 1, name("abc"), name("12345"))).isTrue();
        assertThat(Le.i32(b, 256 + 160)).isEqualTo(0xEA020000);
        assertThat(Arrays.copyOfRange(b, 420, 444))
                .containsExactly(3, 1, 84, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0);
        assertThat(Arrays.copyOfRange(b, 504, 512)).containsExactly('1', '2', '3', '4', '5', 0, 0, 0);
        XattrList.validate(area, b, 0);
        assertThat(XattrArea.ofInode(0, 128, 0).exists()).isFalse();
        assertThat(XattrArea.ofInode(0, 128, 0).isPresent(new byte[128])).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true, 1024", "true, 4096", "false, 256", "false, 1024"})
    void behavesLikeAMapAndUsesEveryByte(boolean inBlock, int size) throws FormatException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] b = new byte[inBlock ? size : 1024 + size + 64];
        random.nextBytes(b);
        byte[] around = b.clone();
        XattrArea area = newArea(b, inBlock, size);
        Map<String, byte[]> model = new HashMap<>();
        for (int step = 0; step < 4000; step++) {
            int index = 1 + random.nextInt(4);
            byte[] name = name("n".repeat(random.nextInt(12)) + random.nextInt(8));
            String key = index + new String(name, StandardCharsets.UTF_8);
            byte[] value = new byte[random.nextInt(random.nextInt(4) == 0 ? size : 40)];
            random.nextBytes(value);
            byte[] before = b.clone();
            if (random.nextInt(3) == 0) {
                assertThat(XattrList.remove(area, b, index, name))
                        .as("seed " + seed)
                        .isEqualTo(model.remove(key) != null);
            } else {
                boolean old = model.containsKey(key);
                int free =
                        XattrList.freeBytes(area, b) + (old ? XattrList.need(name.length, model.get(key).length) : 0);
                boolean fits = XattrList.need(name.length, value.length) <= free;
                assertThat(XattrList.set(area, b, index, name, value))
                        .as("seed " + seed)
                        .isEqualTo(fits);
                if (fits) {
                    model.put(key, value);
                } else {
                    assertThat(b).isEqualTo(before);
                }
            }
            XattrList.validate(area, b, 0);
            check(area, b, model, seed);
        }
        if (!inBlock) {
            assertThat(Arrays.copyOfRange(b, 0, 1024)).isEqualTo(Arrays.copyOfRange(around, 0, 1024));
            assertThat(Arrays.copyOfRange(b, area.end(), b.length))
                    .isEqualTo(Arrays.copyOfRange(around, area.end(), b.length));
        }
        for (String key : model.keySet()) {
            assertThat(XattrList.remove(area, b, key.charAt(0) - '0', name(key.substring(1))))
                    .isTrue();
        }
        byte[] empty = b.clone();
        newArea(empty, inBlock, size);
        assertThat(b).as("no byte of an old value stays, seed " + seed).isEqualTo(empty);
    }

    private static void check(XattrArea area, byte[] b, Map<String, byte[]> model, long seed) {
        int count = 0;
        int last = -1;
        int used = 4;
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            byte[] name = XattrEntry.name(b, at);
            int index = XattrEntry.nameIndex(b, at);
            byte[] value = model.get(index + new String(name, StandardCharsets.UTF_8));
            assertThat(XattrList.value(area, b, at)).as("seed " + seed).isEqualTo(value);
            assertThat(XattrList.find(area, b, index, name)).isEqualTo(at);
            if (area.inBlock()) {
                assertThat(XattrHash.verify(area, b, at)).isTrue();
                assertThat(XattrEntry.hash(b, at)).isEqualTo(XattrHash.of(name, value));
                assertThat(last < 0 || XattrEntry.compare(b, last, index, name) < 0)
                        .isTrue();
            } else {
                assertThat(XattrEntry.hash(b, at)).isZero();
            }
            used += XattrList.need(name.length, value.length);
            last = at;
            count++;
        }
        assertThat(count).as("seed " + seed).isEqualTo(model.size());
        assertThat(XattrList.freeBytes(area, b)).as("seed " + seed).isEqualTo(area.size() - used);
    }

    @Test
    void inodeValuesTakeNoRoomInTheArea() throws FormatException {
        byte[] b = new byte[1024];
        XattrArea area = newArea(b, true, 0);
        int crc = XattrHash.valueCrc(17, new byte[5000]);
        int free = XattrList.freeBytes(area, b);
        assertThat(XattrList.setInode(area, b, 1, name("big"), 77, 5000, XattrHash.ofInodeValue(name("big"), crc)))
                .isTrue();
        assertThat(XattrList.freeBytes(area, b)).isEqualTo(free - 20);
        XattrList.validate(area, b, 0);
        int at = XattrList.find(area, b, 1, name("big"));
        assertThat(XattrEntry.valueInum(b, at)).isEqualTo(77);
        assertThat(XattrHash.verifyInodeValue(b, at, crc)).isTrue();
        assertThat(XattrHash.verifyInodeValue(b, at, crc + 1)).isFalse();
        assertThat(XattrList.set(area, b, 1, name("big"), name("small"))).isTrue();
        assertThat(XattrEntry.valueInum(b, XattrList.find(area, b, 1, name("big"))))
                .isZero();
    }

    /** A name byte above 0x7F, folded as a signed number by kernels that were built so. */
    @Test
    void signedNameHashIsAccepted() {
        byte[] b = new byte[1024];
        XattrArea area = newArea(b, true, 0);
        byte[] name = {'a', (byte) 0xE9};
        XattrList.set(area, b, 1, name, new byte[0]);
        int at = XattrList.first(area, b);
        int unsigned = 'a' << 5 ^ 0xE9;
        int signed = 'a' << 5 ^ 0xFFFFFFE9;
        assertThat(XattrEntry.hash(b, at)).isEqualTo(unsigned);
        Le.put32(b, at + 12, signed);
        assertThat(XattrHash.verify(area, b, at)).isTrue();
        Le.put32(b, at + 12, signed ^ 1);
        assertThat(XattrHash.verify(area, b, at)).isFalse();
    }

    @Test
    void blockHashFoldsEntriesAndIsZeroIfOneHasNone() {
        byte[] b = new byte[1024];
        XattrArea area = newArea(b, true, 0);
        XattrList.set(area, b, 1, name("a"), name("1"));
        XattrList.set(area, b, 1, name("b"), name("2"));
        XattrBlock.rehash(b);
        int first = XattrHash.of(name("a"), name("1"));
        int second = XattrHash.of(name("b"), name("2"));
        assertThat(XattrBlock.hash(b)).isEqualTo(Integer.rotateLeft(first, 16) ^ second);
        Le.put32(b, 32 + 12, 0);
        XattrBlock.rehash(b);
        assertThat(XattrBlock.hash(b)).isZero();
    }

    @Test
    void blockChecksumCoversItsNumber() throws FormatException {
        byte[] b = new byte[1024];
        XattrArea area = newArea(b, true, 0);
        XattrList.set(area, b, 6, name("selinux"), name("x"));
        XattrBlock.seal(b, 1234, 99);
        assertThat(XattrBlock.verify(b, 1234, 99)).isTrue();
        assertThat(XattrBlock.verify(b, 1235, 99)).isFalse();
        XattrBlock.validate(b, 1234);
        XattrBlock.setRefcount(b, 1025);
        assertThat(XattrBlock.verify(b, 1234, 99)).isFalse();
        assertThatThrownBy(() -> XattrBlock.validate(b, 1234))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.field()).isEqualTo("h_refcount"));
    }

    @Test
    void damagedListsAreRefused() throws FormatException {
        assertBad("e_value_offs at 32", b -> Le.put16(b, 32 + 2, 1023));
        assertBad("e_value_offs at 32", b -> Le.put16(b, 32 + 2, 32));
        assertBad("e_value_offs at 52", b -> Le.put16(b, 52 + 2, Le.u16(b, 32 + 2)));
        assertBad("e_value_size", b -> Le.put32(b, 32 + 8, -1));
        assertBad("e_value_size", b -> Le.put32(b, 32 + 8, (1 << 24) + 1));
        assertBad("e_value_offs at 32", b -> Le.put32(b, 32 + 8, 1 << 20));
        assertBad("e_name at 32", b -> b[48] = 0);
        assertBad("h_magic", b -> b[0] = 1);
        assertBad("h_blocks", b -> b[8] = 2);
        assertBad("end of entry at 1012", b -> {
            for (int at = 72; at < 1024; at += 20) {
                System.arraycopy(b, 52, b, at, Math.min(20, 1024 - at));
            }
        });
    }

    private interface Damage {
        void to(byte[] b);
    }

    private static void assertBad(String field, Damage damage) throws FormatException {
        byte[] b = new byte[1024];
        XattrArea area = newArea(b, true, 0);
        XattrList.set(area, b, 1, name("abc"), name("12345"));
        XattrList.set(area, b, 1, name("def"), name("12345"));
        XattrBlock.validate(b, 0);
        damage.to(b);
        assertThatThrownBy(() -> XattrBlock.validate(b, 0))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.field()).isEqualTo(field));
    }

    @Test
    void hostileBytesAreRefusedOrSafe() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int valid = 0;
        for (int i = 0; i < 20000; i++) {
            byte[] b = new byte[256];
            XattrArea area = newArea(b, true, 0);
            for (int k = 0; k < 4; k++) {
                XattrList.set(area, b, 1 + k, name("name" + k), new byte[random.nextInt(20)]);
            }
            b[32 + random.nextInt(224)] = (byte) random.nextInt();
            try {
                XattrList.validate(area, b, 0);
            } catch (FormatException expected) {
                continue;
            }
            valid++;
            for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
                XattrHash.verify(area, b, at);
                if (XattrEntry.valueInum(b, at) == 0) {
                    XattrList.value(area, b, at);
                }
            }
            XattrList.set(area, b, 2, name("name1"), new byte[12]);
            XattrList.remove(area, b, 3, name("name2"));
            XattrList.set(area, b, 7, name("more"), new byte[random.nextInt(100)]);
        }
        assertThat(valid).as("seed " + seed).isGreaterThan(100);
    }

    @Test
    void prefixesAreIndexes() {
        assertName("user.x", 1, "x");
        assertName("trusted.overlay.opaque", 4, "overlay.opaque");
        assertName("security.capability", 6, "capability");
        assertName("system.posix_acl_access", 2, "");
        assertName("system.posix_acl_default", 3, "");
        assertName("system.richacl", 8, "");
        assertName("system.posix_acl_accessx", 7, "posix_acl_accessx");
        assertName("system.other", 7, "other");
        assertThat(XattrName.index(name("other.x"))).isZero();
        assertThat(XattrName.index(name("user"))).isZero();
        assertThat(XattrName.isNamed(7, XattrName.inlineData())).isFalse();
        assertThat(XattrName.isNamed(9, name("c"))).isFalse();
        assertThat(XattrName.isNamed(200, name("c"))).isFalse();
        assertThat(XattrName.isNamed(1, name("c"))).isTrue();
    }

    private static void assertName(String full, int index, String suffix) {
        assertThat(XattrName.index(name(full))).isEqualTo(index);
        assertThat(XattrName.suffix(name(full), index)).isEqualTo(name(suffix));
        assertThat(XattrName.fullName(index, name(suffix))).isEqualTo(name(full));
    }
}
