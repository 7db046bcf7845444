// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Ext4Exception;
import ext4.api.journal.Handle;
import ext4.format.FormatException;
import ext4.format.dir.DxNode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories with bytes changed at random: whatever they hold, a call ends soon, and with a known kind of error. */
class HostileDirectoryTest {
    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Checks each block at each read, as if it came from the device, and counts. */
    private static final class Counting implements DirFile {
        private final MemoryDir dir;
        int reads;

        Counting(MemoryDir dir) {
            this.dir = dir;
        }

        @Override
        public DirFormat format() {
            return dir.format();
        }

        @Override
        public int ino() {
            return dir.ino();
        }

        @Override
        public int blocks() {
            return dir.blocks();
        }

        @Override
        public boolean indexFlag() {
            return dir.indexFlag();
        }

        @Override
        public void indexFlag(Handle handle, boolean set) {
            dir.indexFlag(handle, set);
        }

        @Override
        public void indexUnusable(CorruptException evidence) {
            dir.indexUnusable(evidence);
        }

        @Override
        public byte[] read(int lblk) {
            reads++;
            byte[] b = dir.read(lblk);
            try {
                DirBlockCheck.check(b, dir.format(), MemoryDir.SEED, lblk);
            } catch (FormatException e) {
                throw new CorruptException(e.structure(), e.block(), e.field(), e.found(), e.expected());
            }
            return b;
        }

        @Override
        public byte[] write(Handle handle, int lblk) {
            return dir.write(handle, lblk);
        }

        @Override
        public int append(Handle handle) {
            return dir.append(handle);
        }
    }

    @ParameterizedTest(name = "checksums {0}, dir_index {1}")
    @CsvSource({"true, true", "false, true", "false, false"})
    void everyCallEnds(boolean csum, boolean dirIndex) {
        System.out.println("seed " + seed);
        for (int round = 0; round < 150; round++) {
            MemoryDir dir = new MemoryDir(MemoryDir.format(1024, csum, dirIndex, 1));
            int names = dirIndex && round % 10 == 0 ? 4000 : 300;
            for (int i = 0; i < names; i++) {
                DirInsert.insert(null, dir, bytes("name of an entry " + i), 100 + i, 1);
            }
            damage(dir);
            Counting counting = new Counting(dir);
            for (int call = 0; call < 20; call++) {
                tryOne(counting, names);
            }
        }
    }

    private void damage(MemoryDir dir) {
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            int lblk = random.nextInt(3) > 0 ? 0 : random.nextInt(dir.blocks());
            byte[] b = dir.write(null, lblk);
            switch (random.nextInt(4)) {
                case 0 -> b[random.nextInt(b.length)] = (byte) random.nextInt();
                case 1 -> b[random.nextInt(64)] ^= (byte) (1 << random.nextInt(8));
                case 2 -> DxNode.setChild(b, DxNode.ROOT, random.nextInt(100), random.nextInt(dir.blocks() + 2));
                default -> System.arraycopy(dir.read(random.nextInt(dir.blocks())), 0, b, 0, b.length);
            }
            DirBlockCheck.seal(b, dir.format(), MemoryDir.SEED);
        }
    }

    private void tryOne(Counting dir, int names) {
        byte[] name = bytes("name of an entry " + random.nextInt(2 * names));
        DirLookup lookup = new DirLookup();
        dir.reads = 0;
        int blocks = dir.blocks();
        try {
            switch (random.nextInt(5)) {
                case 0 -> lookup.find(dir, name);
                case 1 -> {
                    if (lookup.findToChange(dir, name)) {
                        DirChange.remove(null, dir, lookup);
                    } else {
                        DirInsert.insert(null, dir, name, 77, 1);
                    }
                }
                case 2 -> DirChange.isEmpty(dir);
                case 3 -> DirChange.parent(dir);
                default -> listAll(dir, names);
            }
        } catch (Ext4Exception expected) {
            assertThat(expected.errno()).as("seed " + seed).isNotNull();
        }
        assertThat(dir.reads).as("seed " + seed).isLessThan(200 * (blocks + 20));
    }

    private static void listAll(Counting dir, int names) {
        long cookie = 0;
        int calls = 0;
        while (true) {
            DirListing listing = DirListing.after(dir, cookie, 1000);
            for (DirItem item : listing.items()) {
                assertThat(item.cookie()).isGreaterThan(cookie);
                cookie = item.cookie();
            }
            if (listing.isAtEnd() || ++calls > names) {
                assertThat(calls).isLessThan(100);
                return;
            }
        }
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.ISO_8859_1);
    }
}
