// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static ext4.core.mount.TestMount.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is written into a block whose contents mean nothing is one request with the zeros around it: else a crash between
 * two could show new bytes and, beside them, some that an uncommitted change had taken out of the file.
 */
class BlockWritesTest {
    private static final int BLOCK = 1024;

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "100, 10", "100, 924", "0, 1024", "400, 2200", "1000, 5000", "2048, 4096", "1500, 2596"})
    void noBlockIsWrittenInParts(int at, int length) {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 8L << 20, "-b", "" + BLOCK);
        RecordingDevice device = new RecordingDevice(new FileBlockDeviceProvider().open(image.toString(), false));
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 'x');
        try (TestMount mount = new TestMount(device, "sharded", MountOptions.DEFAULTS)) {
            int hole = mount.create(ROOT, "hole");
            int zeros = mount.create(ROOT, "zeros");
            mount.write(zeros, 0, new byte[8 * BLOCK]);
            mount.fs.fallocate(Credentials.ROOT, zeros, FileSystem.FALLOC_ZERO_RANGE, 0, 8L * BLOCK);
            device.start();
            mount.write(hole, at, content);
            mount.write(zeros, at, content);
            ByteBuffer read = ByteBuffer.allocate(at + length);
            assertThat(mount.fs.read(zeros, 0, read)).isEqualTo(at + length);
            for (int i = 0; i < at + length; i++) {
                assertThat(read.get(i)).isEqualTo(i < at ? 0 : (byte) 'x');
            }
        }
        List<DeviceEvent.Write> parts = device.events().stream()
                .filter(DeviceEvent.Write.class::isInstance)
                .map(DeviceEvent.Write.class::cast)
                .filter(write -> write.offset() % BLOCK != 0 || write.data().length % BLOCK != 0)
                .toList();
        assertThat(parts).isEmpty();
        E2fsprogs.assertClean(image, "after writing");
    }
}
