// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs by path, on an image in memory. */
class Ext4ImageTest {
    private Ext4Image image;

    @BeforeEach
    void make() throws IOException {
        image = Ext4Image.inMemory(16 << 20, FormatOptions.DEFAULTS);
    }

    @AfterEach
    void close() throws IOException {
        image.close();
    }

    @Test
    void filesAreWrittenAndRead() throws IOException {
        image.writeString("/a", "hello");
        assertThat(image.readString("a")).isEqualTo("hello");
        image.write("/a", " world".getBytes(UTF_8), APPEND);
        assertThat(image.readString("/a")).isEqualTo("hello world");
        image.writeString("/a", "x");
        assertThat(image.stat("/a").size()).isEqualTo(1);
        image.truncate("/a", 3);
        assertThat(image.read("/a")).containsExactly('x', 0, 0);
        assertThatThrownBy(() -> image.open("/a", WRITE, CREATE_NEW)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> image.open("/b", WRITE)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aChannelKeepsItsPositionItsHolesAndItsFile() throws IOException {
        image.create("/sparse", 0600);
        try (ImageChannel channel = image.open("/sparse", READ, WRITE)) {
            channel.position(1 << 20);
            assertThat(channel.write(ByteBuffer.wrap("end".getBytes(UTF_8)))).isEqualTo(3);
            assertThat(channel.size()).isEqualTo((1 << 20) + 3);
            assertThat(channel.position()).isEqualTo((1 << 20) + 3);
            assertThat(channel.nextData(0)).isEqualTo(1 << 20);
            assertThat(channel.nextHole(0)).isZero();
            assertThat(channel.nextHole(1 << 20)).isEqualTo((1 << 20) + 3);
            assertThat(channel.nextData(channel.size())).isEqualTo(-1);
            image.remove("/sparse");
            ByteBuffer read = ByteBuffer.allocate(10);
            assertThat(channel.read(read, (1 << 20) - 2)).isEqualTo(5);
            assertThat(read.array()).startsWith(0, 0, 'e', 'n', 'd');
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            channel.truncate(4).force();
            assertThat(channel.size()).isEqualTo(4);
            channel.close();
            assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
        }
        assertThat(image.exists("/sparse")).isFalse();
        image.writeString("/f", "1");
        try (ImageChannel channel = image.open("/f")) {
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
                    .isInstanceOf(NonWritableChannelException.class);
        }
    }

    @Test
    void theTreeIsListedAndWalked() throws IOException {
        image.mkdirs("/a/b/c");
        image.writeString("/a/b/file", "1");
        image.symlink("/a/link", "b");
        assertThat(image.list("/a"))
                .extracting(ImageEntry::path, ImageEntry::name, ImageEntry::type)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("/a/b", "b", FileType.DIRECTORY),
                        org.assertj.core.groups.Tuple.tuple("/a/link", "link", FileType.SYMLINK));
        try (Stream<ImageEntry> walk = image.walk("a")) {
            assertThat(walk.map(ImageEntry::path)).containsExactlyInAnyOrder("a", "a/b", "a/b/c", "a/b/file", "a/link");
        }
        try (Stream<ImageEntry> walk = image.walk("/")) {
            assertThat(walk.limit(1).map(ImageEntry::path)).containsExactly("/");
        }
        assertThat(image.list("/")).extracting(ImageEntry::name).contains("a", "lost+found");
        assertThatThrownBy(() -> image.list("/a/b/file")).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void namesAreMovedLinkedAndRemoved() throws IOException {
        image.writeString("/a", "1");
        image.link("/a", "/b");
        assertThat(image.stat("/b").nlink()).isEqualTo(2);
        assertThat(image.stat("/b").ino()).isEqualTo(image.stat("/a").ino());
        image.rename("/b", "/c");
        image.remove("/a");
        assertThat(image.readString("/c")).isEqualTo("1");
        image.mkdir("/d");
        image.rename("/c", "/d/c");
        assertThatThrownBy(() -> image.remove("/d")).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> image.rename("/d", "/d/e")).isInstanceOf(FileSystemException.class);
        image.remove("/d/c");
        image.remove("/d");
        assertThatThrownBy(() -> image.remove("/d")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> image.remove("/")).isInstanceOf(FileSystemException.class);
        assertThatThrownBy(() -> image.mkdir("/")).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void attributesAndXattrsAreSet() throws IOException {
        image.create("/f", 0640);
        image.setOwner("/f", 1000, -2);
        image.setPermissions("/f", 06755);
        FileTime access = FileTime.from(Instant.ofEpochSecond(-5, 123_456_789));
        FileTime modification = FileTime.from(Instant.ofEpochSecond(5_000_000_000L, 1));
        image.setTimes("/f", access, modification);
        ImageAttributes found = image.stat("/f");
        assertThat(found.mode()).isEqualTo(0106755);
        assertThat(found.uid()).isEqualTo(1000);
        assertThat(found.gid()).isEqualTo(0xFFFFFFFEL);
        assertThat(found.lastAccessTime()).isEqualTo(access);
        assertThat(found.lastModifiedTime()).isEqualTo(modification);
        image.setXattr("/f", "user.comment", "x".getBytes(UTF_8));
        image.setXattr("/f", "trusted.t", new byte[0]);
        assertThat(image.xattrs("/f")).containsOnlyKeys("user.comment", "trusted.t");
        assertThat(image.xattrs("/f").get("user.comment")).containsExactly('x');
        image.removeXattr("/f", "user.comment");
        assertThat(image.xattrs("/f")).containsOnlyKeys("trusted.t");
        assertThatThrownBy(() -> image.removeXattr("/f", "user.comment")).isInstanceOf(FileSystemException.class);
        image.mknod("/null", FileType.CHARACTER_DEVICE, 0666, 1, 3);
        assertThat(image.stat("/null").deviceMajor()).isEqualTo(1);
        assertThat(image.stat("/null").deviceMinor()).isEqualTo(3);
        assertThatThrownBy(() -> image.open("/null")).hasMessage("/null: not a regular file");
    }

    @Test
    void linksLeadInsideTheImageOnly() throws IOException {
        image.mkdirs("/d/sub");
        image.writeString("/top", "top");
        image.writeString("/d/here", "here");
        image.symlink("/d/absolute", "/top");
        image.symlink("/d/relative", "here");
        image.symlink("/d/out", "../../../../../top");
        image.symlink("/dir", "d/sub/");
        image.symlink("/nowhere", "d/new");
        assertThat(image.readString("/d/absolute")).isEqualTo("top");
        assertThat(image.readString("/d/relative")).isEqualTo("here");
        assertThat(image.readString("/d/out")).isEqualTo("top");
        assertThat(image.readString("../../top")).isEqualTo("top");
        assertThat(image.readString("/dir/../here")).isEqualTo("here");
        assertThat(image.readlink("/dir")).isEqualTo("d/sub/");
        assertThat(image.stat("/dir").isDirectory()).isTrue();
        assertThat(image.stat("/dir", NOFOLLOW_LINKS).isSymbolicLink()).isTrue();
        assertThat(image.stat("/dir/", NOFOLLOW_LINKS).isDirectory()).isTrue();
        assertThat(image.exists("/nowhere")).isFalse();
        assertThat(image.exists("/nowhere", NOFOLLOW_LINKS)).isTrue();
        image.writeString("/nowhere", "made");
        assertThat(image.readString("/d/new")).isEqualTo("made");
        assertThatThrownBy(() -> image.readlink("/top")).isInstanceOf(NotLinkException.class);
        assertThatThrownBy(() -> image.stat("/top/")).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> image.stat("/top/x")).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void fortyLinksAreFollowedAndNotOneMore() throws IOException {
        image.writeString("/0", "end");
        for (int i = 1; i <= 41; i++) {
            image.symlink("/" + i, String.valueOf(i - 1));
        }
        image.symlink("/loop", "loop");
        assertThat(image.readString("/40")).isEqualTo("end");
        assertThatThrownBy(() -> image.readString("/41")).isInstanceOf(FileSystemLoopException.class);
        assertThatThrownBy(() -> image.stat("/loop/x")).isInstanceOf(FileSystemLoopException.class);
    }

    @Test
    void whatIsClosedSaysSo() throws IOException {
        image.writeString("/f", "1");
        ImageChannel channel = image.open("/f");
        image.close();
        image.close();
        assertThatThrownBy(() -> image.stat("/f")).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(ClosedFileSystemException.class);
        channel.close();
    }

    @Test
    void aFullImageSaysSo() throws IOException {
        byte[] much = new byte[1 << 20];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 32; i++) {
                        image.write("/" + i, much);
                    }
                })
                .isInstanceOf(NoSpaceException.class)
                .hasMessageContaining("No space left on device");
        for (String name : List.of("/0", "/1", "/2")) {
            image.remove(name);
        }
        image.write("/again", much);
    }

    @Test
    void whatIsNotSupportedIsRefused() {
        assertThatThrownBy(() -> image.open("/f", WRITE, java.nio.file.StandardOpenOption.DELETE_ON_CLOSE))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> image.open("/f", APPEND, READ)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Ext4Image.inMemory(1000, FormatOptions.DEFAULTS))
                .isInstanceOf(FileSystemException.class);
    }
}
