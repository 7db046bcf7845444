// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.hash.NameHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IndexTest {
    private static final NameHash HASH = NameHash.of(NameHash.HALF_MD4, new int[4]);
    private static final int SEED = 99;

    private static byte[] name(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }

    private static int hashOf(byte[] name) {
        return NameHash.major(HASH.hash(name, 0, name.length));
    }

    @Test
    void slotsPerBlock() {
        assertThat(DxNode.maxSlots(4096, DxNode.ROOT, true)).isEqualTo(507);
        assertThat(DxNode.maxSlots(4096, DxNode.ROOT, false)).isEqualTo(508);
        assertThat(DxNode.maxSlots(4096, DxNode.NODE, true)).isEqualTo(510);
        assertThat(DxNode.maxSlots(4096, DxNode.NODE, false)).isEqualTo(511);
        assertThat(DxNode.maxSlots(1024, DxNode.ROOT, true)).isEqualTo(123);
    }

    @Test
    void rootLayout() throws FormatException {
        byte[] b = new byte[1024];
        DxRoot.init(b, 12, 2, FileType.DIRECTORY, NameHash.TEA, true, 1);
        assertThat(Arrays.copyOf(b, 0x28))
                .containsExactly(
                        12, 0, 0, 0, 12, 0, 1, 2, '.', 0, 0, 0, // .
                        2, 0, 0, 0, 0xF4, 3, 2, 2, '.', '.', 0, 0, // ..
                        0, 0, 0, 0, 2, 8, 0, 0, // info
                        123, 0, 1, 0, 1, 0, 0, 0); // slot 0
        DxRoot.validate(b, true, false, 2);
        assertThat(DxRoot.parent(b)).isEqualTo(2);
        assertThat(DirEntry.isDotDot(b, DxRoot.dotDot())).isTrue();
    }

    /** An index of one or two levels, kept in memory as core would. */
    private static final class Directory {
        final Map<Integer, byte[]> blocks = new HashMap<>();
        final int blockSize;
        final boolean csum;

        Directory(int blockSize, boolean csum) throws FormatException {
            this.blockSize = blockSize;
            this.csum = csum;
            byte[] first = add();
            int end = DirTail.entriesEnd(blockSize, csum);
            DirBlock.initDots(first, end, 12, 2, 2);
            if (csum) {
                DirTail.init(first);
            }
            int ino = 20;
            while (DirBlock.insert(first, 0, end, name("linear-" + ino), ino, 1, 0) >= 0) {
                ino++;
            }
            LeafSplit.toIndexed(first, add(), NameHash.HALF_MD4, csum, 1);
        }

        byte[] add() {
            byte[] b = new byte[blockSize];
            blocks.put(blocks.size(), b);
            return b;
        }

        byte[] root() {
            return blocks.get(0);
        }

        void insert(byte[] name, int ino) throws FormatException {
            for (int attempt = 0; attempt < 4; attempt++) {
                int hash = hashOf(name);
                int rootSlot = DxNode.search(root(), DxNode.ROOT, hash);
                int child = DxNode.child(root(), DxNode.ROOT, rootSlot);
                boolean deep = DxRoot.levels(root()) == 1;
                byte[] node = deep ? blocks.get(child) : root();
                int base = deep ? DxNode.NODE : DxNode.ROOT;
                int slot = deep ? DxNode.search(node, base, hash) : rootSlot;
                byte[] leaf = blocks.get(DxNode.child(node, base, slot));
                int end = DirTail.entriesEnd(leaf, csum);
                if (DirBlock.insert(leaf, 0, end, name, ino, 1, 0) >= 0) {
                    return;
                }
                if (!DxNode.isFull(node, base)) {
                    int lblk = blocks.size();
                    DxNode.insert(node, base, slot, LeafSplit.split(leaf, add(), HASH, 0), lblk);
                } else if (deep) {
                    int lblk = blocks.size();
                    DxNode.insert(root(), DxNode.ROOT, rootSlot, DxNode.moveUpperHalf(node, add(), csum), lblk);
                } else {
                    int lblk = blocks.size();
                    DxRoot.pushDown(root(), add(), csum, lblk);
                }
            }
            throw new AssertionError("no room after four splits");
        }

        void seal() {
            for (int lblk = 0; lblk < blocks.size(); lblk++) {
                byte[] b = blocks.get(lblk);
                if (lblk == 0) {
                    DxNode.seal(b, DxNode.ROOT, SEED);
                } else if (DxNode.looksLikeNode(b)) {
                    DxNode.seal(b, DxNode.NODE, SEED);
                } else {
                    DirTail.seal(b, SEED);
                }
            }
        }

        Set<String> check() throws FormatException {
            return new IndexReader(blocks::get, blocks.size(), csum, false, HASH, SEED).readAll();
        }
    }

    @Test
    void growsFromALinearBlockToTwoLevels() throws FormatException {
        for (boolean csum : new boolean[] {true, false}) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            Directory dir = new Directory(1024, csum);
            Set<String> expected = new TreeSet<>(dir.check());
            assertThat(expected).hasSizeGreaterThan(30);
            for (int i = 0; i < 8000; i++) {
                String name = "file-" + random.nextLong() + "x".repeat(random.nextInt(20));
                dir.insert(name(name), 100 + i);
                expected.add(name);
            }
            dir.seal();
            assertThat(DxRoot.levels(dir.root())).isEqualTo(1);
            assertThat(dir.check()).as("seed " + seed).isEqualTo(expected);
        }
    }

    /** Two names whose hashes are equal: by the birthday bound 200 000 names hold some of 2^31. */
    private static byte[][] collidingNames() {
        Map<Integer, String> seen = new HashMap<>();
        for (int i = 0; i < 2_000_000; i++) {
            String name = "c" + i;
            String other = seen.put(hashOf(name(name)), name);
            if (other != null) {
                return new byte[][] {name(other), name(name)};
            }
        }
        throw new AssertionError("no collision in two million names");
    }

    @Test
    void splitBetweenEqualHashesSetsTheContinuedBit() throws FormatException {
        byte[][] names = collidingNames();
        byte[] leaf = new byte[1024];
        byte[] fresh = new byte[1024];
        DirBlock.initEmpty(leaf, 0, 1024);
        DirBlock.insert(leaf, 0, 1024, names[0], 12, 1, 0);
        DirBlock.insert(leaf, 0, 1024, names[1], 13, 1, 0);
        int split = LeafSplit.split(leaf, fresh, HASH, 0);
        assertThat(split).isEqualTo(hashOf(names[0]) | 1);
        assertThat(DirBlockTest.entries(leaf, 1024)).hasSize(1);
        assertThat(DirBlockTest.entries(fresh, 1024)).hasSize(1);

        byte[] node = new byte[1024];
        DxNode.init(node, false, 1);
        DxNode.insert(node, DxNode.NODE, 0, split, 2);
        int slot = DxNode.search(node, DxNode.NODE, split & ~1);
        assertThat(slot).isZero();
        assertThat(DxNode.continues(node, DxNode.NODE, slot, split & ~1)).isTrue();
        assertThat(DxNode.continues(node, DxNode.NODE, 1, split & ~1)).isFalse();
        assertThat(DxNode.continues(node, DxNode.NODE, slot, (split & ~1) - 2)).isFalse();
        assertThat(DxNode.search(node, DxNode.NODE, (split & ~1) + 2)).isEqualTo(1);
    }

    @Test
    void splitHalvesByBytesNotByCount() throws FormatException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            byte[] leaf = new byte[4096];
            byte[] fresh = new byte[4096];
            DirBlock.initEmpty(leaf, 0, 4084);
            DirTail.init(leaf);
            for (int i = 0;
                    DirBlock.insert(leaf, 0, 4084, name("a".repeat(1 + random.nextInt(240)) + i), 12, 1, 0) >= 0;
                    i++) {}
            Set<String> before = new HashSet<>(DirBlockTest.entries(leaf, 4084).keySet());
            int hash = LeafSplit.split(leaf, fresh, HASH, 0) & ~1;
            Set<String> low = DirBlockTest.entries(leaf, 4084).keySet();
            Set<String> high = DirBlockTest.entries(fresh, 4084).keySet();
            assertThat(low).as("seed " + seed).allMatch(n -> Integer.compareUnsigned(hashOf(name(n)), hash) < 0);
            assertThat(high).as("seed " + seed).allMatch(n -> Integer.compareUnsigned(hashOf(name(n)), hash) >= 0);
            before.removeAll(low);
            assertThat(high).as("seed " + seed).isEqualTo(before);
            DirBlock.validate(leaf, 0, 4084, 12, 0);
            DirBlock.validate(fresh, 0, 4084, 12, 0);
            assertThat(DirTail.isPresent(leaf) && DirTail.isPresent(fresh)).isTrue();
            assertThat(DirBlock.largestGap(leaf, 0, 4084, 0)).as("seed " + seed).isGreaterThanOrEqualTo(1024);
            assertThat(DirBlock.largestGap(fresh, 0, 4084, 0))
                    .as("seed " + seed)
                    .isGreaterThanOrEqualTo(1024);
        }
    }

    @Test
    void aLeafOfOneEntryCannotBeSplit() {
        byte[] leaf = new byte[1024];
        DirBlock.initEmpty(leaf, 0, 1024);
        assertThatThrownBy(() -> LeafSplit.split(leaf, new byte[1024], HASH, 7))
                .isInstanceOfSatisfying(
                        FormatException.class, e -> assertThat(e.block()).isEqualTo(7));
    }

    @Test
    void equalOrdersAreSortedByName() throws FormatException {
        NameHash legacy = NameHash.of(NameHash.LEGACY, new int[4]);
        byte[][] names = collidingNames();
        byte[] leaf = new byte[1024];
        DirBlock.initEmpty(leaf, 0, 1024);
        DirBlock.insert(leaf, 0, 1024, names[1], 12, 1, 0);
        DirBlock.insert(leaf, 0, 1024, names[0], 13, 1, 0);
        LeafMap map = new LeafMap();
        map.scan(leaf, 0, 1024, HASH, 0);
        assertThat(map.size()).isEqualTo(2);
        assertThat(map.hash(0)).isEqualTo(map.hash(1));
        assertThat(map.order(0)).isLessThanOrEqualTo(map.order(1));
        if (map.order(0) == map.order(1)) {
            assertThat(DirEntry.compareNames(leaf, map.offset(0), leaf, map.offset(1)))
                    .isNegative();
        }
        map.scan(leaf, 0, 1024, legacy, 0);
        assertThat(map.size()).isEqualTo(2);
        assertThat(NameHash.minor(map.nameHash(0))).isZero();
    }

    @Test
    void damagedNodesAreRefused() throws FormatException {
        assertBadNode("limit", b -> Le.put16(b, 8, 200));
        assertBadNode("count", b -> Le.put16(b, 10, 0));
        assertBadNode("count", b -> Le.put16(b, 10, 0xFFFF));
        assertBadNode("block of slot 1", b -> Le.put32(b, 8 + 8 + 4, 0));
        assertBadNode("block of slot 1", b -> Le.put32(b, 8 + 8 + 4, 10));
        assertBadNode("hash of slot 2", b -> Le.put32(b, 8 + 16, 1));
        assertBadNode("rec_len", b -> Le.put16(b, 4, 12));
    }

    private interface Damage {
        void to(byte[] b);
    }

    private static void assertBadNode(String field, Damage damage) throws FormatException {
        byte[] b = new byte[1024];
        DxNode.init(b, true, 1);
        DxNode.insert(b, DxNode.NODE, 0, 0x1000, 2);
        DxNode.insert(b, DxNode.NODE, 1, 0x80000000, 3);
        DxNode.validate(b, true, 10, 4);
        DxNode.seal(b, DxNode.NODE, SEED);
        assertThat(DxNode.verify(b, DxNode.NODE, SEED)).isTrue();
        damage.to(b);
        DxNode.verify(b, DxNode.NODE, SEED);
        assertThatThrownBy(() -> DxNode.validate(b, true, 10, 4)).isInstanceOfSatisfying(FormatException.class, e -> {
            assertThat(e.field()).isEqualTo(field);
            assertThat(e.block()).isEqualTo(4);
        });
    }
}
