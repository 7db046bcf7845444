// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.block.BlockDevice;
import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.orphan.OrphanStrategy;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process dies; the operating system goes on knowing inodes of which some are not there any more. The image is a copy
 * taken from under a mounted filesystem, and is taken over by the pins that a table in shared memory would tell.
 */
class StaleNumbersTest {
    private static final int ROOT = TestMount.ROOT;
    private static final byte[] USER_X = TestMount.bytes("user.x");

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    /** What one process left. */
    private record Left(Path image, Map<String, Attributes> nodes) {
        int ino(String name) {
            return nodes.get(name).ino;
        }
    }

    /** "kept" and "gone" are durable, "gone" without a name; "lost" is not committed; "free" is an orphan nobody pins. */
    private Left died(String options, String strategy) throws IOException {
        Path image = folder.resolve("image");
        Path copy = folder.resolve("copy");
        E2fsprogs.mke2fs(image, 64L << 20, options.split(" "));
        Map<String, Attributes> nodes = new LinkedHashMap<>();
        try (TestMount mount = new TestMount(image, strategy, MountOptions.DEFAULTS)) {
            for (String name : List.of("kept", "gone", "free", "dir")) {
                int ino = name.equals("dir") ? mount.mkdir(ROOT, name) : mount.create(ROOT, name);
                if (!name.equals("dir")) {
                    mount.write(ino, 0, TestMount.bytes("bytes of " + name));
                }
                nodes.put(name, mount.stat(ino));
            }
            mount.unlink(ROOT, "gone");
            mount.unlink(ROOT, "free");
            mount.fs.syncfs();
            Files.copy(image, copy, StandardCopyOption.REPLACE_EXISTING);
            int lost = mount.create(ROOT, "lost");
            nodes.put("lost", mount.stat(lost));
        }
        return new Left(copy, nodes);
    }

    private void adopted(Left left, String strategy, PinnedInodes pins, Consumer<CoreFileSystem> then) {
        try (BlockDevice device = new FileBlockDeviceProvider().open(left.image.toString(), false)) {
            CoreFileSystem fs = take(device, strategy, pins);
            try {
                then.accept(fs);
            } finally {
                fs.close();
            }
        }
        E2fsprogs.assertClean(left.image, "taken over");
    }

    private static PinnedInodes pins(Left left, String... names) {
        PinnedInodes pins = new PinnedInodes(names.length);
        for (String name : names) {
            Attributes node = left.nodes.get(name);
            pins.add(node.ino, node.generation, 3, false); // too many; and nobody tells whether it has a name
        }
        return pins;
    }

    @ParameterizedTest(name = "{0}, mke2fs {1}")
    @CsvSource({"sharded, -b 4096", "global, -b 1024 -O orphan_file", "sharded, -b 4096 -O ^orphan_file"})
    void whatWasDurableIsThereAndTheRestIsStale(String strategy, String options) throws IOException {
        Left left = died(options, strategy);
        adopted(left, strategy, pins(left, "kept", "gone", "lost"), fs -> {
            assertThat(read(fs, left.ino("kept"))).isEqualTo("bytes of kept");
            assertThat(read(fs, left.ino("gone"))).isEqualTo("bytes of gone");
            fs.awaitEvictions();
            assertThat(fs.orphans())
                    .hasSize(1)
                    .first()
                    .satisfies(place -> assertThat(place.ino()).isEqualTo(left.ino("gone")));
            everyVerbIsStale(fs, left.ino("lost"));
            fs.forget(left.ino("gone"), 2);
            assertThat(read(fs, left.ino("gone"))).isEqualTo("bytes of gone");
            fs.forget(left.ino("gone"), 1);
            fs.awaitEvictions();
            assertThat(fs.orphans()).isEmpty();
        });
    }

    @Test
    void anOrphanThatIsNeverForgottenEndsWithTheMount() throws IOException {
        Left left = died("-b 4096", "sharded");
        adopted(
                left,
                "sharded",
                pins(left, "gone", "free"),
                fs -> assertThat(fs.orphans()).hasSize(2));
    }

    @Test
    void aFreeNumberIsNotUsedWhileItIsPinned() throws IOException {
        Left left = died("-b 4096", "sharded");
        adopted(left, "sharded", pins(left, "lost"), fs -> {
            int lost = left.ino("lost");
            List<Integer> made = create(fs, "a", 300);
            assertThat(made).doesNotContain(lost);
            fs.pin(lost);
            fs.forget(lost, 3);
            assertThat(create(fs, "b", 300)).doesNotContain(lost);
            fs.forget(lost, 1);
            assertThat(create(fs, "c", 1)).as("the lowest number that is free").containsExactly(lost);
            Attributes out = new Attributes();
            fs.getattr(lost, out);
            assertThat(out.nlink).isEqualTo(1);
        });
    }

    @Test
    void anotherGenerationIsStaleUntilItIsForgotten() throws IOException {
        Left left = died("-b 4096", "sharded");
        left.nodes.get("kept").generation++;
        left.nodes.get("dir").generation++;
        left.nodes.get("free").generation++; // an orphan of another generation is nobody's, and freed
        adopted(left, "sharded", pins(left, "kept", "dir", "free"), fs -> {
            everyVerbIsStale(fs, left.ino("kept"));
            everyVerbIsStale(fs, left.ino("dir"));
            everyVerbIsStale(fs, left.ino("free"));
            fs.awaitEvictions();
            assertThat(fs.orphans()).isEmpty();
            everyVerbIsStale(fs, left.ino("free"));
            stale(() -> fs.lookup(ROOT, TestMount.bytes("kept"), new Attributes()));
            stale(() -> fs.unlink(Credentials.ROOT, ROOT, TestMount.bytes("kept")));
            stale(() -> fs.rmdir(Credentials.ROOT, ROOT, TestMount.bytes("dir")));
            stale(() -> fs.rename(Credentials.ROOT, ROOT, TestMount.bytes("kept"), ROOT, TestMount.bytes("other"), 0));
            assertThat(namesPlus(fs)).containsEntry("kept", 0).containsEntry("dir", 0);
            assertThat(create(fs, "a", 100)).doesNotContain(left.ino("free"));
            assertThat(fs.readOnly()).isFalse();
            assertThat(fs.status().get("errors")).as("nothing is corrupt").startsWith("0,");

            fs.forget(left.ino("kept"), 3);
            fs.forget(left.ino("dir"), 3);
            fs.forget(left.ino("free"), 3);

            assertThat(read(fs, left.ino("kept"))).isEqualTo("bytes of kept");
            fs.lookup(ROOT, TestMount.bytes("kept"), new Attributes());
            assertThat(namesPlus(fs)).containsEntry("kept", 1).containsEntry("dir", 2);
            assertThat(create(fs, "b", 1)).containsExactly(left.ino("free"));
        });
    }

    @Test
    void whatIsStaleIsHandedOnAsSuch() throws IOException {
        Left left = died("-b 4096", "sharded");
        left.nodes.get("kept").generation++;
        try (BlockDevice device = new FileBlockDeviceProvider().open(left.image.toString(), false)) {
            CoreFileSystem fs = take(device, "sharded", pins(left, "kept", "gone", "lost"));
            for (int i = 0; i < 3; i++) {
                everyVerbIsStale(fs, left.ino("kept"));
                everyVerbIsStale(fs, left.ino("lost"));
                PinnedInodes pins = fs.freeze();
                pins.forEach((ino, generation, count, unlinked) -> {
                    assertThat(count).isEqualTo(3);
                    assertThat(unlinked).isEqualTo(ino == left.ino("gone"));
                });
                assertThat(pins.size()).isEqualTo(3);
                CoreFileSystem next = take(device, "sharded", pins);
                fs.close();
                fs = next;
            }
            assertThat(read(fs, left.ino("gone"))).isEqualTo("bytes of gone");
            fs.close();
        }
        E2fsprogs.assertClean(left.image, "handed on");
    }

    private static CoreFileSystem take(BlockDevice device, String strategy, PinnedInodes pins) {
        OrphanStrategy service = TestMount.strategy(strategy);
        return new Ext4CoreProvider().adopt(device, MountOptions.DEFAULTS, new Jbd2Provider(), strategy, service, pins);
    }

    private static void everyVerbIsStale(CoreFileSystem fs, int ino) {
        Attributes out = new Attributes();
        byte[] name = TestMount.bytes("x");
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.UID;
        stale(() -> fs.getattr(ino, out));
        stale(() -> fs.setattr(Credentials.ROOT, ino, change, out));
        stale(() -> fs.read(ino, 0, ByteBuffer.allocate(10)));
        stale(() -> fs.write(Credentials.ROOT, ino, 0, ByteBuffer.allocate(10), 0));
        stale(() -> fs.lookup(ino, name, out));
        stale(() -> fs.create(Credentials.ROOT, ino, name, 0644, out));
        stale(() -> fs.mkdir(Credentials.ROOT, ino, name, 0755, out));
        stale(() -> fs.symlink(Credentials.ROOT, ino, name, name, out));
        stale(() -> fs.tmpfile(Credentials.ROOT, ino, 0600, out));
        stale(() -> fs.link(Credentials.ROOT, ino, ROOT, name, out));
        stale(() -> fs.unlink(Credentials.ROOT, ino, name));
        stale(() -> fs.rmdir(Credentials.ROOT, ino, name));
        stale(() -> fs.rename(Credentials.ROOT, ino, name, ROOT, name, 0));
        stale(() -> fs.rename(Credentials.ROOT, ROOT, TestMount.bytes("lost+found"), ino, name, 0));
        stale(() -> fs.readlink(ino));
        stale(() -> fs.readdir(ino, 0, (cookie, child, mode, bytes, offset, length) -> true));
        stale(() -> fs.readdirplus(ino, 0, (cookie, attributes, bytes, offset, length) -> true));
        stale(() -> fs.getxattr(ino, USER_X));
        stale(() -> fs.listxattr(ino));
        stale(() -> fs.setxattr(Credentials.ROOT, ino, USER_X, USER_X, 0));
        stale(() -> fs.removexattr(Credentials.ROOT, ino, USER_X));
        stale(() -> fs.fallocate(Credentials.ROOT, ino, FileSystem.FALLOC_KEEP_SIZE, 0, 10));
        stale(() -> fs.seek(ino, 0, true));
        stale(() -> fs.fsync(ino, false));
    }

    private static void stale(ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ESTALE));
    }

    private static List<Integer> create(CoreFileSystem fs, String prefix, int count) {
        List<Integer> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Attributes out = new Attributes();
            fs.create(Credentials.ROOT, ROOT, TestMount.bytes(prefix + i), 0644, out);
            made.add(out.ino);
        }
        return made;
    }

    /** Names of the root with the links that their attributes tell, 0 if they tell nothing. */
    private static Map<String, Integer> namesPlus(CoreFileSystem fs) {
        Map<String, Integer> names = new LinkedHashMap<>();
        List<Integer> taken = new ArrayList<>();
        fs.readdirplus(ROOT, 0, (cookie, attributes, name, offset, length) -> {
            String text = new String(name, offset, length, StandardCharsets.UTF_8);
            names.put(text, attributes.nlink);
            if (attributes.nlink > 0 && !text.equals(".") && !text.equals("..")) {
                taken.add(attributes.ino);
            }
            return true;
        });
        taken.forEach(ino -> fs.forget(ino, 1));
        return names;
    }

    private static String read(CoreFileSystem fs, int ino) {
        ByteBuffer dst = ByteBuffer.allocate(100);
        int count = fs.read(ino, 0, dst);
        return new String(dst.array(), 0, count, StandardCharsets.UTF_8);
    }
}
