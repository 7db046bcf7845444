// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBlockDeviceTest {
    private static final int SIZE = 1 << 20;

    private final FileBlockDeviceProvider provider = new FileBlockDeviceProvider();

    @TempDir
    Path dir;

    private Path image;

    @BeforeEach
    void makeImage() throws IOException {
        image = dir.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(SIZE);
        }
    }

    @Test
    void accessOutsideTheFileAndAfterCloseNamesDeviceOperationAndOffset() {
        BlockDevice device = provider.open(image.toString(), false);
        assertThatThrownBy(() -> device.read(SIZE - 10, ByteBuffer.allocate(11)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("image: read at " + (SIZE - 10));
        assertThatThrownBy(() -> device.write(-1, ByteBuffer.allocate(1))).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> device.write(Long.MAX_VALUE, ByteBuffer.allocate(1)))
                .isInstanceOf(DeviceException.class);
        device.close();
        device.close();
        assertThatThrownBy(() -> device.read(0, ByteBuffer.allocate(1)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aFileThatShrankMeanwhileIsADeviceError() throws IOException {
        try (BlockDevice device = provider.open(image.toString(), false);
                RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(4096);
            assertThatThrownBy(() -> device.read(0, ByteBuffer.allocate(8192)))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("shorter");
        }
    }

    @Test
    void isOpenOnceInAProcessWhateverItsName() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("other"), image);
        try (BlockDevice device = provider.open(image.toString(), false)) {
            assertThatThrownBy(() -> new FileBlockDeviceProvider().open(link.toString(), true))
                    .isInstanceOf(DeviceException.class)
                    .hasMessage(link + ": in use by this process");
            assertThat(device.size()).isEqualTo(SIZE);
        }
        provider.open(link.toString(), false).close();
    }

    @Test
    void isRefusedWhileAnotherProcessHasIt() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process other = new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        image.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("open");
            assertThatThrownBy(() -> provider.open(image.toString(), false))
                    .isInstanceOf(DeviceException.class)
                    .hasMessage(image + ": in use by process " + other.pid());
        } finally {
            other.getOutputStream().close();
            other.waitFor();
        }
        provider.open(image.toString(), false).close();
    }

    @Test
    void saysInOneLineWhatIsWrong() throws IOException {
        Path missing = dir.resolve("missing");
        assertThatThrownBy(() -> provider.open(missing.toString(), false)).hasMessage(missing + ": no such file");
        assertThatThrownBy(() -> provider.open(dir.toString(), false)).hasMessage(dir + ": is a directory");
        assertThatThrownBy(() -> provider.open("/dev/null", true))
                .hasMessage("/dev/null: neither an image file nor a block device");
    }

    @Test
    void saysThatPermissionIsMissing() throws IOException {
        Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(image), "skipped: this user may read every file");
        assertThatThrownBy(() -> provider.open(image.toString(), true)).hasMessage(image + ": permission denied");
    }

    @Test
    void handlesPathsAndNoSchemes() {
        assertThat(provider.handles("/a:b")).isTrue();
        assertThat(provider.handles("disk.img")).isTrue();
        assertThat(provider.handles("a/b:c")).isTrue();
        assertThat(provider.handles("mem:1G")).isFalse();
        assertThat(provider.handles("")).isFalse();
    }

    /** Opens a device and holds it until its input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            try (BlockDevice device = new FileBlockDeviceProvider().open(args[0], false)) {
                System.out.println(device.size() > 0 ? "open" : "empty");
                while (System.in.read() >= 0) {}
            }
        }
    }
}
