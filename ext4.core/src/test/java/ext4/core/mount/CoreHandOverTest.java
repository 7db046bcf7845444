// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.orphan.OrphanPlace;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One core hands a mounted filesystem to the next, which goes on as if nothing had been. */
class CoreHandOverTest {
    private static final int ROOT = TestMount.ROOT;

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private Path image(String options) {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, options.split(" "));
        return image;
    }

    private static byte[] content(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest(name = "{0} -> {1}, mke2fs {2}")
    @CsvSource({
        "sharded, sharded, -b 4096",
        "sharded, global, -b 1024 -O orphan_file",
        "global, sharded, -b 4096 -O ^orphan_file",
        "sharded, global, -b 4096 -O ^has_journal",
        "global, sharded, '-b 1024 -O ^has_journal,^metadata_csum'",
        "global, global, '-b 1024 -I 128 -O ^metadata_csum,^64bit'",
    })
    void openFilesStayWhatTheyAre(String from, String to, String options) {
        Path image = image(options);
        try (SwappableMount mount = new SwappableMount(image, from)) {
            int open = mount.create(ROOT, "open");
            int deleted = mount.create(ROOT, "deleted");
            int cut = mount.create(ROOT, "cut");
            byte[] bytes = content(1, 300_000);
            mount.write(open, 0, bytes);
            mount.write(deleted, 0, bytes);
            mount.write(cut, 0, bytes);
            mount.run(fs -> fs.fsync(open, false));
            mount.unlink(ROOT, "deleted");
            int unnamed = tmpfile(mount);
            mount.write(unnamed, 0, bytes);
            int cutShort = tmpfile(mount);
            mount.write(cutShort, 0, bytes);
            truncate(mount, cutShort, 7); // it stays an orphan
            long free = freeInodes(mount);

            mount.swap(to);

            assertThat(mount.read(cutShort, 0, 100)).isEqualTo(Arrays.copyOf(bytes, 7));
            mount.forget(cutShort);
            mount.run(CoreFileSystem::awaitEvictions);

            assertThat(mount.fs().strategyName()).isEqualTo(to);
            assertThat(mount.read(open, 0, bytes.length)).isEqualTo(bytes);
            assertThat(mount.read(deleted, 0, bytes.length)).isEqualTo(bytes);
            assertThat(mount.read(unnamed, 0, bytes.length)).isEqualTo(bytes);
            assertThat(mount.stat(deleted).nlink).isZero();
            mount.write(deleted, 1 << 20, bytes);
            assertThat(freeInodes(mount)).isEqualTo(free + 1);
            mount.run(fs -> fs.fsync(open, false));
            truncate(mount, cut, 1000);
            mount.run(fs -> fs.link(Credentials.ROOT, unnamed, ROOT, TestMount.bytes("named"), new Attributes()));
            mount.run(fs -> fs.forget(unnamed, 2));
            mount.forget(deleted);
            mount.run(CoreFileSystem::awaitEvictions);
            assertThat(freeInodes(mount)).isEqualTo(free + 2);
            assertThat(mount.fs().orphans()).isEmpty();

            mount.swap(from);

            int named = mount.lookup(ROOT, "named");
            assertThat(mount.read(named, 0, bytes.length)).isEqualTo(bytes);
            assertThat(mount.read(cut, 0, 5000)).isEqualTo(Arrays.copyOf(bytes, 1000));
            assertThatThrownBy(() -> mount.stat(deleted)).isInstanceOf(ErrnoException.class);
        }
        E2fsprogs.assertClean(image, from + " to " + to);
    }

    private static int tmpfile(SwappableMount mount) {
        Attributes out = new Attributes();
        mount.run(fs -> fs.tmpfile(Credentials.ROOT, ROOT, 0600, out));
        return out.ino;
    }

    private static long freeInodes(SwappableMount mount) {
        return mount.call(fs -> fs.statfs().filesFree());
    }

    private static void truncate(SwappableMount mount, int ino, long size) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        mount.run(fs -> fs.setattr(Credentials.ROOT, ino, change, new Attributes()));
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(strings = {"-b 4096", "-b 1024 -O orphan_file", "-b 4096 -O ^has_journal"})
    void whatIsFrozenIsAnOrdinaryCrash(String options) {
        Path image = image(options);
        try (SwappableMount mount = new SwappableMount(image, "sharded")) {
            int deleted = mount.create(ROOT, "deleted");
            mount.write(deleted, 0, content(2, 100_000));
            mount.unlink(ROOT, "deleted");
            PinnedInodes pins = mount.fs().freeze();
            assertThat(pins.size()).isEqualTo(1);
            assertThat(pins.orphans()).isEqualTo(1);
            pins.forEach((ino, generation, count, unlinked) -> {
                assertThat(ino).isEqualTo(deleted);
                assertThat(count).isEqualTo(1);
                assertThat(unlinked).isTrue();
            });
            mount.fs().close();
            mount.fs().close();
        }
        boolean journals = !options.contains("^has_journal");
        if (journals) {
            try (TestMount after = new TestMount(image)) {
                assertThat(after.fs.orphans()).isEmpty();
            }
            E2fsprogs.assertClean(image, options);
        } else {
            assertThat(Tool.run("dumpe2fs", "-h", image).ok().output()).containsPattern("Filesystem state: +not clean");
        }
    }

    @ParameterizedTest(name = "{0}, mke2fs {1}")
    @CsvSource({"sharded, -b 4096", "global, -b 1024 -O orphan_file", "sharded, -b 4096 -O ^has_journal"})
    void aFrozenOneGoesOn(String strategy, String options) {
        Path image = image(options);
        try (SwappableMount mount = new SwappableMount(image, strategy)) {
            int open = mount.create(ROOT, "open");
            int deleted = mount.create(ROOT, "deleted");
            byte[] bytes = content(3, 50_000);
            for (int round = 0; round < 5; round++) {
                mount.write(deleted, round * 50_000L, bytes);
                if (round == 2) {
                    mount.unlink(ROOT, "deleted");
                }
                mount.fs().freeze();
                assertThatThrownBy(() -> mount.fs().freeze()).isInstanceOf(IllegalStateException.class);
                String next = round % 2 == 0 ? "global" : "sharded";
                mount.fs().thaw(mount.journal(), next, TestMount.strategy(next));
                assertThat(mount.fs().strategyName()).isEqualTo(next);
                mount.write(open, round * 50_000L, bytes);
                mount.run(fs -> fs.fsync(open, false));
                assertThat(mount.read(deleted, round * 50_000L, bytes.length)).isEqualTo(bytes);
            }
            mount.forget(deleted);
            mount.run(CoreFileSystem::awaitEvictions);
            assertThat(mount.fs().orphans()).isEmpty();
        }
        E2fsprogs.assertClean(image, strategy + " " + options);
    }

    @Test
    void readOnlyIsHandedOverWithoutAWrite() {
        Path image = image("-b 4096");
        try (TestMount mount = new TestMount(image)) {
            mount.write(mount.create(ROOT, "file"), 0, content(4, 9000));
        }
        MountOptions readOnly = MountOptions.DEFAULTS.withReadOnly(true);
        try (SwappableMount mount =
                new SwappableMount(new FileBlockDeviceProvider().open(image.toString(), true), "sharded", readOnly)) {
            int file = mount.lookup(ROOT, "file");
            mount.swap("sharded");
            assertThat(mount.read(file, 0, 9000)).isEqualTo(content(4, 9000));
            mount.fs().freeze();
            mount.fs().thaw(mount.journal(), "global", TestMount.strategy("global"));
            assertThat(mount.read(file, 0, 9000)).isEqualTo(content(4, 9000));
            assertThat(mount.fs().readOnly()).isTrue();
        }
        E2fsprogs.assertClean(image, "never written");
    }

    @Test
    void aRemountToReadOnlyStaysCleanThroughAHandOver() {
        Path image = image("-b 4096");
        BlockDeviceHolder holder = new BlockDeviceHolder(image);
        CoreFileSystem fs = holder.mount();
        fs.remountReadOnly();
        PinnedInodes pins = fs.freeze();
        CoreFileSystem next = new Ext4CoreProvider()
                .adopt(
                        holder.device,
                        MountOptions.DEFAULTS.withReadOnly(true),
                        new ext4.journal.Jbd2Provider(),
                        "sharded",
                        TestMount.strategy("sharded"),
                        pins);
        fs.close();
        assertThat(next.readOnly()).isTrue();
        E2fsprogs.assertClean(image, "mounted read-only");
        next.remountReadWrite(new ext4.journal.Jbd2Provider(), "global", TestMount.strategy("global"));
        Attributes out = new Attributes();
        next.create(Credentials.ROOT, ROOT, TestMount.bytes("later"), 0644, out);
        next.close();
        holder.device.close();
        E2fsprogs.assertClean(image, "written again");
    }

    private static final class BlockDeviceHolder {
        final ext4.api.block.BlockDevice device;

        BlockDeviceHolder(Path image) {
            device = new FileBlockDeviceProvider().open(image.toString(), false);
        }

        CoreFileSystem mount() {
            return new Ext4CoreProvider()
                    .mount(
                            device,
                            MountOptions.DEFAULTS,
                            new ext4.journal.Jbd2Provider(),
                            "sharded",
                            TestMount.strategy("sharded"));
        }
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(strings = {"-b 1024 -O orphan_file", "-b 4096 -O ^orphan_file", "-b 4096 -O ^has_journal"})
    void whatWaitsToBeFreedIsFreedBySuccessor(String options) {
        Path image = image(options + " -N 14000");
        int files = 10_000;
        try (SwappableMount mount = new SwappableMount(image, "sharded")) {
            long free = freeInodes(mount);
            int[] inos = new int[files];
            for (int i = 0; i < files; i++) {
                inos[i] = mount.create(ROOT, "f" + i);
            }
            for (int i = 0; i < files; i++) {
                mount.unlink(ROOT, "f" + i);
            }
            mount.run(CoreFileSystem::prepareFreeze);
            for (int ino : inos) {
                mount.forget(ino);
            }
            long micros = mount.swap("sharded");
            System.out.println(files + " to free, pause " + micros + " us, "
                    + mount.fs().orphans().size() + " left");
            mount.run(CoreFileSystem::awaitEvictions);
            List<OrphanPlace> left = mount.fs().orphans();
            assertThat(left).isEmpty();
            assertThat(freeInodes(mount)).isEqualTo(free);
            assertThat(mount.fs().status()).containsEntry("inodes pinned", "0");
        }
        E2fsprogs.assertClean(image, options);
    }

    @Test
    void numbersThatCanBeNoFilesAreRefused() {
        Path image = image("-b 4096");
        try (SwappableMount mount = new SwappableMount(image, "sharded")) {
            int file = mount.create(ROOT, "file");
            mount.fs().freeze();
            for (int bad : new int[] {0, 8, -1}) {
                PinnedInodes pins = new PinnedInodes(1);
                pins.add(bad, 0, 1, false);
                assertThatThrownBy(() -> mount.adopt("sharded", TestMount.strategy("sharded"), pins))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Integer.toUnsignedString(bad));
            }
            mount.fs().thaw(mount.journal(), "sharded", TestMount.strategy("sharded"));
            mount.write(file, 0, content(5, 100));
        }
        E2fsprogs.assertClean(image, "thawed");
    }
}
