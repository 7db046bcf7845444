// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Image files: made, opened, closed; judged by e2fsck and the kernel. */
class ImageFileTest {
    private static final long SIZE = 32 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "^has_journal", "^metadata_csum", "^dir_index,^64bit,^flex_bg"})
    void theKernelSeesWhatWasWritten(String features) throws IOException {
        Oracles.needKernelMounts();
        Path file = directory.resolve("a.img");
        FileTime time = FileTime.from(Instant.ofEpochSecond(1_700_000_000L, 123_456_789));
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS.withFeatures(features))) {
            image.mkdirs("/a/b");
            image.writeString("/a/b/file", "content");
            image.setPermissions("/a/b/file", 0640);
            image.setOwner("/a/b/file", 12, 34);
            image.setTimes("/a/b/file", time, time);
            image.setXattr("/a/b/file", "user.x", new byte[] {1, 2});
            image.symlink("/a/link", "b/file");
            image.link("/a/b/file", "/a/hard");
            image.mknod("/a/fifo", FileType.FIFO, 0600, 0, 0);
        }
        E2fsprogs.assertClean(file, "after closing");
        try (LoopMount mount = new LoopMount(file, "ro")) {
            Path a = mount.root().resolve("a");
            assertThat(a.resolve("link")).hasContent("content");
            Map<String, Object> stat = Files.readAttributes(a.resolve("hard"), "unix:*", NOFOLLOW_LINKS);
            assertThat(stat)
                    .containsEntry("mode", 0100640)
                    .containsEntry("uid", 12)
                    .containsEntry("gid", 34);
            assertThat(stat).containsEntry("nlink", 2).containsEntry("lastModifiedTime", time);
            assertThat((byte[]) Files.getAttribute(a.resolve("b/file"), "user:x"))
                    .containsExactly(1, 2);
            assertThat(Files.readAttributes(a.resolve("fifo"), "unix:mode")).containsEntry("mode", 0010600);
        }
    }

    @Test
    void whatTheKernelWroteIsRead() throws IOException {
        Oracles.needKernelMounts();
        Path file = directory.resolve("a.img");
        E2fsprogs.mke2fs(file, SIZE);
        String longName = "n".repeat(255);
        try (LoopMount mount = new LoopMount(file, "rw")) {
            Path many = Files.createDirectory(mount.root().resolve("many"));
            for (int i = 0; i < 3000; i++) {
                Files.createFile(many.resolve("file" + i));
            }
            Files.writeString(mount.root().resolve(longName), "long");
            Tool.run("sh", "-c", "printf hidden > " + mount.root() + "/$(printf 'b\\377d')")
                    .ok();
        }
        try (Ext4Image image = Ext4Image.open(file)) {
            assertThat(image.list("/many"))
                    .hasSize(3000)
                    .extracting(ImageEntry::name)
                    .contains("file2999");
            assertThat(image.readString("/" + longName)).isEqualTo("long");
            assertThat(image.list("/")).extracting(ImageEntry::name).contains("b\uDCFFd");
            assertThat(image.readString("/b\uDCFFd")).isEqualTo("hidden");
            assertThatThrownBy(() -> image.mkdir("/x")).isInstanceOf(ReadOnlyFileSystemException.class);
            assertThatThrownBy(() -> image.writeString("/x", "")).isInstanceOf(ReadOnlyFileSystemException.class);
        }
    }

    @Test
    void aJournalIsReplayedInMemoryForAReader() throws IOException {
        Oracles.needE2fsprogs();
        Path file = directory.resolve("a.img");
        Path crashed = directory.resolve("crashed.img");
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS)) {
            image.mkdir("/d");
            image.writeString("/d/f", "committed");
            image.sync();
            Files.copy(file, crashed);
        }
        assertThat(Tool.run("dumpe2fs", "-h", crashed).ok().output()).contains("needs_recovery");
        byte[] before = Files.readAllBytes(crashed);
        try (Ext4Image image = Ext4Image.open(crashed)) {
            assertThat(image.readString("/d/f")).isEqualTo("committed");
        }
        try (Ext4Image image = Ext4Image.open(crashed, ImageOptions.READ_ONLY.withoutReplay())) {
            assertThat(image.stat("/").isDirectory()).isTrue();
        }
        assertThat(Files.mismatch(crashed, Files.write(directory.resolve("before"), before)))
                .isEqualTo(-1);
        try (Ext4Image image = Ext4Image.open(crashed, ImageOptions.READ_WRITE)) {
            assertThat(image.readString("/d/f")).isEqualTo("committed");
        }
        E2fsprogs.assertClean(crashed, "after replay");
    }

    @Test
    void whatCanNotBeOpenedSaysWhy() throws IOException {
        Path file = directory.resolve("a.img");
        assertThatThrownBy(() -> Ext4Image.open(file)).isInstanceOf(NoSuchFileException.class);
        Files.write(file, new byte[1 << 20]);
        assertThatThrownBy(() -> Ext4Image.open(file))
                .isInstanceOf(CorruptImageException.class)
                .hasMessageContaining("superblock");
        assertThatThrownBy(() -> Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Ext4Image.open(directory))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(directory + ": is a directory");
        Path bad = directory.resolve("bad.img");
        assertThatThrownBy(() -> Ext4Image.create(bad, SIZE, FormatOptions.DEFAULTS.withFeatures("nonsense")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("nonsense");
        assertThat(bad).doesNotExist();
    }

    @Test
    void anImageInUseIsRefused() throws IOException {
        Path file = directory.resolve("a.img");
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS)) {
            assertThat(image.exists("/lost+found")).isTrue();
            assertThatThrownBy(() -> Ext4Image.open(file)).hasMessage(file + ": in use by this process");
        }
        Oracles.needKernelMounts();
        try (LoopMount mount = new LoopMount(file, "rw")) {
            assertThatThrownBy(() -> Ext4Image.open(file, ImageOptions.READ_WRITE))
                    .hasMessageContaining("in use by /dev/loop")
                    .hasMessageContaining(mount.root().toString());
            assertThatThrownBy(() -> Ext4Image.open(file)).hasMessageContaining("in use by /dev/loop");
        }
        Ext4Image.open(file).close();
    }

    @Test
    void unsupportedFeaturesAreNamed() throws IOException {
        Oracles.needE2fsprogs();
        Path file = directory.resolve("a.img");
        E2fsprogs.mke2fs(file, SIZE, "-O", "inline_data");
        assertThatThrownBy(() -> Ext4Image.open(file))
                .isInstanceOf(UnsupportedImageException.class)
                .hasMessageContaining("inline_data");
        E2fsprogs.mke2fs(file, SIZE, "-O", "quota");
        assertThatThrownBy(() -> Ext4Image.open(file, ImageOptions.READ_WRITE))
                .isInstanceOf(UnsupportedImageException.class);
        Ext4Image.open(file).close();
    }

    @Test
    void aDirectoryThatIsItsOwnGrandchildEndsTheWalk() throws IOException {
        Oracles.needE2fsprogs();
        Path file = directory.resolve("a.img");
        E2fsprogs.mke2fs(file, SIZE, "-O", "^metadata_csum");
        E2fsprogs.debugfs(file, true, "mkdir a");
        E2fsprogs.debugfs(file, true, "mkdir a/b");
        E2fsprogs.debugfs(file, true, "link a a/b/a");
        try (Ext4Image image = Ext4Image.open(file)) {
            assertThatThrownBy(() -> {
                        try (var walk = image.walk("/")) {
                            assertThat(walk.count()).isLessThan(10);
                        }
                    })
                    .cause()
                    .isInstanceOf(CorruptImageException.class)
                    .hasMessageContaining("number of names");
        }
    }

    @Test
    void manyThreadsUseOneImage() throws Exception {
        Oracles.needE2fsprogs();
        Path file = directory.resolve("a.img");
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> work = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                String mine = "/t" + t;
                Random random = new Random(t);
                work.add(threads.submit(() -> {
                    image.mkdir(mine);
                    for (int i = 0; i < 100; i++) {
                        image.writeString(mine + "/" + i, mine.repeat(random.nextInt(500)));
                        image.rename(mine + "/" + i, mine + "/r" + i);
                        if (i % 3 == 0) {
                            image.remove(mine + "/r" + i);
                        }
                    }
                    return image.list(mine).size();
                }));
            }
            for (Future<?> one : work) {
                assertThat(result(one)).isEqualTo(66);
            }
        }
        E2fsprogs.assertClean(file, "after eight threads");
    }

    private static Object result(Future<?> one) throws InterruptedException {
        try {
            return one.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Test
    void aDamagedImageGivesAMessage() throws IOException {
        Path file = directory.resolve("a.img");
        Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS).close();
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(1024 + 0x5C);
            raw.writeInt(raw.readInt() ^ -1);
        }
        assertThatThrownBy(() -> Ext4Image.open(file))
                .isInstanceOf(CorruptImageException.class)
                .hasMessageContaining("checksum");
    }
}
