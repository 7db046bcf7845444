// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.format.dir.DirCookie;
import ext4.format.dir.DxNode;
import ext4.format.dir.DxRoot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories of every shape against a map. */
class DirectoryModelTest {
    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final DirLookup lookup = new DirLookup();

    @ParameterizedTest(name = "blocks of {0}, checksums {1}, dir_index {2}, hash version {3}")
    @CsvSource({
        "1024, true, true, 1",
        "1024, false, true, 2",
        "1024, true, true, 0",
        "1024, true, false, 1",
        "4096, true, true, 1",
        "65536, true, true, 1",
        "2048, false, false, 1"
    })
    void behavesAsAMap(int blockSize, boolean csum, boolean dirIndex, int version) throws Exception {
        System.out.println("seed " + seed);
        MemoryDir dir = new MemoryDir(MemoryDir.format(blockSize, csum, dirIndex, version));
        Map<String, Integer> model = new TreeMap<>();
        List<String> names = new ArrayList<>();
        int steps = dirIndex ? 12_000 : 1_500;
        for (int step = 0; step < steps; step++) {
            if (random.nextInt(10) < 7 || names.isEmpty()) {
                insert(dir, model, names, step);
            } else {
                remove(dir, model, names);
            }
            if (step % 997 == 0) {
                dir.reload();
            }
        }
        dir.reload();
        checkAll(dir, model);
        if (dirIndex) {
            assertThat(dir.indexFlag()).isTrue();
        }
        if (blockSize == 1024 && dirIndex) {
            assertThat(DxRoot.levels(dir.read(0))).as("levels").isEqualTo(1);
        }
        for (String name : names) {
            assertThat(lookup.findToChange(dir, bytes(name))).isTrue();
            DirChange.remove(null, dir, lookup);
        }
        dir.reload();
        assertThat(DirChange.isEmpty(dir)).isTrue();
        checkAll(dir, Map.of());
    }

    private void insert(MemoryDir dir, Map<String, Integer> model, List<String> names, int step) {
        String name = randomName(step);
        if (lookup.find(dir, bytes(name))) {
            assertThat(model).containsKey(name);
            DirChange.replace(null, dir, lookup, 100 + step, 1);
        } else {
            assertThat(model).doesNotContainKey(name);
            add(dir, bytes(name), 100 + step);
            names.add(name);
        }
        model.put(name, 100 + step);
    }

    private void add(MemoryDir dir, byte[] name, int ino) {
        if (random.nextBoolean()) {
            DirInsert.insert(null, dir, name, ino, 1);
        } else {
            DirLookup absent = new DirLookup();
            assertThat(absent.findOrRoom(dir, name)).isFalse();
            DirInsert.insert(null, dir, absent, name, ino, 1);
        }
    }

    private void remove(MemoryDir dir, Map<String, Integer> model, List<String> names) {
        int at = random.nextInt(names.size());
        String name = names.get(at);
        names.set(at, names.getLast());
        names.removeLast();
        assertThat(lookup.findToChange(dir, bytes(name))).isTrue();
        assertThat(lookup.ino()).isEqualTo(model.remove(name));
        DirChange.remove(null, dir, lookup);
        assertThat(lookup.find(dir, bytes(name))).isFalse();
    }

    private String randomName(int step) {
        int length = random.nextInt(20) == 0 ? 1 + random.nextInt(255) : 1 + random.nextInt(30);
        StringBuilder name = new StringBuilder(Integer.toString(step, 36));
        while (name.length() < length) {
            name.append((char) (random.nextInt(3) == 0 ? 0x80 + random.nextInt(0x80) : 'a' + random.nextInt(26)));
        }
        return name.toString();
    }

    private void checkAll(MemoryDir dir, Map<String, Integer> model) {
        Map<String, Integer> listed = new HashMap<>();
        for (DirItem item : listFrom(dir, DirCookie.START, 1 + random.nextInt(500))) {
            if (item.cookie() >= DirCookie.FIRST) {
                assertThat(listed.put(text(item.name()), item.ino())).isNull();
            }
        }
        assertThat(listed).isEqualTo(model);
        model.forEach((name, ino) -> {
            assertThat(lookup.find(dir, bytes(name))).as(name).isTrue();
            assertThat(lookup.ino()).isEqualTo(ino);
        });
        assertThat(lookup.find(dir, bytes("no such name"))).isFalse();
        assertThat(lookup.find(dir, bytes(".."))).isTrue();
        assertThat(lookup.ino()).isEqualTo(2);
    }

    private static List<DirItem> listFrom(DirFile dir, long start, int batch) {
        List<DirItem> all = new ArrayList<>();
        long cookie = start;
        while (true) {
            DirListing listing = DirListing.after(dir, cookie, batch);
            for (DirItem item : listing.items()) {
                assertThat(item.cookie()).isGreaterThan(cookie);
                cookie = item.cookie();
                all.add(item);
            }
            if (listing.isAtEnd()) {
                return all;
            }
            assertThat(listing.items()).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "dir_index {0}")
    @CsvSource({"true", "false"})
    void anEntryThatStaysIsListedOnceWhileOthersComeAndGo(boolean dirIndex) {
        System.out.println("seed " + seed);
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, true, dirIndex, 1));
        Set<String> staying = new HashSet<>();
        List<String> going = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            staying.add("stays" + i);
            DirInsert.insert(null, dir, bytes("stays" + i), 100, 1);
            going.add("goes" + i);
            DirInsert.insert(null, dir, bytes("goes" + i), 100, 1);
        }
        Map<String, Integer> seen = new HashMap<>();
        long cookie = DirCookie.START;
        int created = 0;
        while (true) {
            DirListing listing = DirListing.after(dir, cookie, 3);
            for (DirItem item : listing.items()) {
                seen.merge(text(item.name()), 1, Integer::sum);
                cookie = item.cookie();
                // as a caller whose buffer is full: what was not consumed comes again
                if (random.nextInt(3) == 0) {
                    break;
                }
            }
            if (listing.isAtEnd() && cookie == lastCookie(listing, cookie)) {
                break;
            }
            if (created < 3000) {
                DirInsert.insert(null, dir, bytes("new" + created++), 100, 1);
            }
            if (!going.isEmpty() && random.nextBoolean()) {
                lookup.findToChange(dir, bytes(going.remove(random.nextInt(going.size()))));
                DirChange.remove(null, dir, lookup);
            }
        }
        for (String name : staying) {
            assertThat(seen).as("seed " + seed).containsEntry(name, 1);
        }
    }

    private static long lastCookie(DirListing listing, long otherwise) {
        return listing.items().isEmpty() ? otherwise : listing.items().getLast().cookie();
    }

    /** Behind 190 times "x" these ends give one legacy hash, found by search. */
    private static final List<String> ENDS_OF_ONE_HASH = List.of(
            "TfsRba4",
            "Ttvzca.",
            "ikZkea(",
            "ZhLOgaD",
            "WqqZga1",
            "idzgka0",
            "hPynla^",
            "Cbtnqal",
            "KaMMqaa",
            "rMU1qa\"",
            "iXzZra8",
            "dhhfway",
            "I0Tiwa'",
            "23-Pyag",
            "X__4yaR",
            "RpWkzaC");

    @Test
    void namesOfOneHashFillSeveralLeavesAndAreRanked() throws Exception {
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, true, true, 0));
        List<String> colliding =
                ENDS_OF_ONE_HASH.stream().map(end -> "x".repeat(190) + end).toList();
        for (int i = 0; i < 600; i++) {
            if (i % 40 == 0 && i / 40 < colliding.size()) {
                DirInsert.insert(null, dir, bytes(colliding.get(i / 40)), 100, 1);
            }
            DirInsert.insert(null, dir, bytes(randomName(i)), 100, 1);
        }
        DirInsert.insert(null, dir, bytes(colliding.getLast()), 100, 1);
        dir.reload();
        assertThat(colliding.stream().map(name -> dir.format().defaultHash().hash(bytes(name), 0, 197)))
                .containsOnly(dir.format().defaultHash().hash(bytes(colliding.getFirst()), 0, 197));
        for (String name : colliding) {
            assertThat(lookup.findToChange(dir, bytes(name))).as(name).isTrue();
        }
        for (int batch : new int[] {1, 2, 5, 1000}) {
            List<String> listed = listFrom(dir, DirCookie.DOT_DOT, batch).stream()
                    .map(item -> text(item.name()))
                    .toList();
            assertThat(listed)
                    .hasSize(600 + colliding.size())
                    .doesNotHaveDuplicates()
                    .containsAll(colliding);
            assertThat(listed.stream().filter(colliding::contains)).isSorted();
        }
        dir.indexFlag(null, false);
        assertThat(listFrom(dir, DirCookie.DOT_DOT, 2)).hasSize(600 + colliding.size());
    }

    @Test
    void aFullIndexOfTwoLevelsIsNoSpace() {
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, true, true, 1));
        String filler = "f".repeat(245);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 200_000; i++) {
                        DirInsert.insert(null, dir, bytes(filler + i), 100, 1);
                    }
                })
                .isInstanceOfSatisfying(
                        Ext4Exception.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
        assertThat(dir.blocks()).isGreaterThan(123 * 60);
        assertThat(lookup.find(dir, bytes(filler + 77))).isTrue();
    }

    @Test
    void noSpaceAtAnyBlockLeavesTheDirectoryWhole() throws Exception {
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, true, true, 1));
        Map<String, Integer> model = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            String name = randomName(i);
            dir.blocksAllowed = dir.blocks() + random.nextInt(2);
            try {
                DirInsert.insert(null, dir, bytes(name), 100 + i, 1);
                model.put(name, 100 + i);
            } catch (Ext4Exception e) {
                assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
            }
        }
        dir.reload();
        checkAll(dir, model);
    }

    @Test
    void aDirectoryWithAnIndexOfAnUnknownKindIsReadAndNotWritten() {
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, false, true, 1));
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            names.add("name" + i);
            DirInsert.insert(null, dir, bytes("name" + i), 100, 1);
        }
        byte[] root = dir.write(null, 0);
        DxRoot.init(root, 12, 2, 2, 6, false, DxNode.child(root, DxNode.ROOT, 0));
        for (String name : names) {
            assertThat(lookup.find(dir, bytes(name))).isTrue();
        }
        assertThat(listFrom(dir, DirCookie.DOT_DOT, 10).stream().map(item -> text(item.name())))
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(dir.withoutIndex).isPositive();
        assertThatThrownBy(() -> DirInsert.insert(null, dir, bytes("new"), 100, 1))
                .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> lookup.findToChange(dir, bytes("name1"))).isInstanceOf(CorruptException.class);
    }

    @Test
    void anIndexLeftBehindOnAFilesystemWithoutDirIndexIsTakenAway() {
        MemoryDir dir = new MemoryDir(MemoryDir.format(1024, false, false, 1));
        dir.indexFlag(null, true);
        DirInsert.insert(null, dir, bytes("a"), 100, 1);
        assertThat(dir.indexFlag()).isFalse();
        MemoryDir summed = new MemoryDir(MemoryDir.format(1024, true, false, 1));
        summed.indexFlag(null, true);
        assertThatThrownBy(() -> DirInsert.insert(null, summed, bytes("a"), 100, 1))
                .isInstanceOfSatisfying(
                        Ext4Exception.class, e -> assertThat(e.errno()).isEqualTo(Errno.EUCLEAN));
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.ISO_8859_1);
    }
}
