// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.StatFs;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that becomes full, and what statfs says. */
class SpaceTest {
    private static final Credentials USER = new Credentials(1000, 1000, 022);

    @TempDir
    Path folder;

    private Path image;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private void mke2fs(long bytes, String... options) {
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, bytes, options);
    }

    @Test
    void aUserLeavesTheReserveAndTheSuperuserTakesIt() {
        mke2fs(16L << 20, "-b", "1024", "-m", "10");
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            fill(mount, USER, ino);
            StatFs full = mount.fs.statfs();
            assertThat(full.available()).isZero();
            assertThat(full.free()).isGreaterThan(1000);
            fill(mount, Credentials.ROOT, ino);
            assertThat(mount.fs.statfs().free()).as("for nodes of extent trees").isBetween(1L, (16L << 10) / 50);
            assertThatThrownBy(() -> mount.mkdir(TestMount.ROOT, "d")).isInstanceOf(ErrnoException.class);
        }
        E2fsprogs.assertClean(image, "full");
    }

    private static void fill(TestMount mount, Credentials who, int ino) {
        ByteBuffer chunk = ByteBuffer.allocate(100_000);
        assertThatThrownBy(() -> {
                    for (long at = mount.stat(ino).size; ; at = mount.stat(ino).size) {
                        mount.fs.write(who, ino, at, chunk.clear(), 0);
                    }
                })
                .isInstanceOf(ErrnoException.class)
                .extracting(e -> ((ErrnoException) e).errno())
                .isEqualTo(Errno.ENOSPC);
    }

    /** Blocks that an unlink frees are there for the next write, though their transaction is not durable yet. */
    @ParameterizedTest
    @ValueSource(strings = {"has_journal", "^has_journal"})
    void spaceBeingFreedCounts(String journal) {
        mke2fs(16L << 20, "-b", "1024", "-O", journal);
        try (TestMount mount = new TestMount(image)) {
            for (int round = 0; round < 5; round++) {
                int ino = mount.create(TestMount.ROOT, "f" + round);
                fill(mount, Credentials.ROOT, ino);
                long size = mount.stat(ino).size;
                assertThat(size).isGreaterThan(8 << 20);
                mount.unlink(TestMount.ROOT, "f" + round);
                mount.fs.forget(ino, 1);
                int next = mount.create(TestMount.ROOT, "g" + round);
                assertThat(mount.write(next, 0, new byte[(int) size])).isEqualTo((int) size);
                mount.unlink(TestMount.ROOT, "g" + round);
                mount.fs.forget(next, 1);
            }
        }
        E2fsprogs.assertClean(image, "filled five times");
    }

    /**
     * A write whose block is there but not the indirect block that it needs is done again, with the same bytes. Nodes of
     * extent trees have blocks that are kept for them.
     */
    @Test
    void aWriteThatIsTriedAgainWritesTheSame() {
        mke2fs(8L << 20, "-b", "1024", "-m", "0", "-O", "^extent,^64bit");
        int last = 12 * 1024; // what fits into the inode
        byte[] content = new byte[last + 2048];
        new Random(1).nextBytes(content);
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            mount.write(ino, 0, Arrays.copyOf(content, last));
            int other = mount.create(TestMount.ROOT, "other");
            mount.write(other, 0, new byte[3000]);
            int filler = mount.create(TestMount.ROOT, "filler");
            fill(mount, Credentials.ROOT, filler);
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.SIZE;
            change.size = (mount.stat(filler).size - 1) / 1024 * 1024;
            mount.fs.setattr(Credentials.ROOT, filler, change, new Attributes());
            mount.fs.syncfs();
            assertThat(mount.fs.statfs().available()).isEqualTo(1);
            mount.unlink(TestMount.ROOT, "other");
            mount.fs.forget(other, 1);
            ByteBuffer source = ByteBuffer.wrap(content, last, 2048);
            assertThat(mount.fs.write(Credentials.ROOT, ino, last, source, 0)).isEqualTo(2048);
            ByteBuffer read = ByteBuffer.allocate(2048);
            assertThat(mount.fs.read(ino, last, read)).isEqualTo(2048);
            assertThat(read.array()).isEqualTo(Arrays.copyOfRange(content, last, last + 2048));
        }
        E2fsprogs.assertClean(image, "written at the second attempt");
    }

    @Test
    void inodesRunOutToo() {
        mke2fs(16L << 20, "-b", "1024", "-N", "128");
        try (TestMount mount = new TestMount(image)) {
            long free = mount.fs.statfs().filesFree();
            assertThatThrownBy(() -> {
                        for (int i = 0; i <= free; i++) {
                            mount.create(TestMount.ROOT, "f" + i);
                        }
                    })
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("No space");
            assertThat(mount.fs.statfs().filesFree()).isZero();
            mount.unlink(TestMount.ROOT, "f0");
            mount.fs.forget(12, 1);
            mount.create(TestMount.ROOT, "again");
        }
        E2fsprogs.assertClean(image, "all inodes in use");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-b 1024", "-b 4096", "-b 4096 -O ^has_journal", "-b 1024 -O ^flex_bg,^resize_inode"})
    void statfsSaysWhatTheKernelSays(String options) throws Exception {
        Oracles.needKernelMounts();
        mke2fs(64L << 20, options.split(" "));
        StatFs ours;
        try (TestMount mount = new TestMount(image)) {
            int ino = mount.create(TestMount.ROOT, "f");
            mount.write(ino, 0, new byte[1 << 20]);
            ours = mount.fs.statfs();
        }
        try (LoopMount mount = new LoopMount(image, "ro")) {
            FileStore store = Files.getFileStore(mount.root());
            assertThat(store.getTotalSpace()).isEqualTo(ours.blocks() * ours.blockSize());
            assertThat(store.getUnallocatedSpace()).isEqualTo(ours.free() * ours.blockSize());
            assertThat(store.getUsableSpace()).isEqualTo(ours.available() * ours.blockSize());
        }
    }

    @Test
    void aTerabyteMountsWithoutReadingItsBitmaps() {
        mke2fs(1L << 40, "-b", "4096", "-E", "lazy_itable_init=1,lazy_journal_init=1");
        try (TestMount mount = new TestMount(image)) {
            assertThat(Long.parseLong(mount.fs.status().get("metadata misses"))).isLessThan(200);
            Attributes out = new Attributes();
            for (int i = 0; i < 100; i++) {
                int directory = mount.mkdir(TestMount.ROOT, "d" + i);
                mount.fs.create(USER, directory, TestMount.bytes("f"), 0600, out);
                mount.write(out.ino, 0, new byte[10_000]);
            }
        }
        String stats = E2fsprogs.debugfs(image, false, "stats");
        assertThat(stats).contains("Filesystem state:         clean");
    }
}
