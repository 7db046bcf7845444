// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelUseTest {
    @TempDir
    Path dir;

    private Path image;
    private KernelUse kernel;

    @BeforeEach
    void layOutProcAndSys() throws IOException {
        image = Files.createFile(dir.resolve("image"));
        Path loop = Files.createDirectories(dir.resolve("sys/block/loop3/loop"));
        Files.writeString(loop.resolve("backing_file"), image + "\n");
        Files.writeString(loop.resolveSibling("ro"), "0\n");
        Files.writeString(loop.resolveSibling("dev"), "7:3\n");
        Files.createDirectories(dir.resolve("sys/block/loop4"));
        Files.createDirectories(dir.resolve("sys/dev/block/8:1/holders/dm-0"));
        Files.createDirectories(dir.resolve("proc/self"));
        Files.writeString(dir.resolve("proc/self/mountinfo"), """
                22 27 0:21 / /proc rw,relatime - proc proc rw
                60 27 7:3 / /mnt/here rw,relatime - ext4 /dev/loop3 rw
                61 27 8:2 / /home rw,relatime - ext4 /dev/sda2 rw
                """);
        kernel = new KernelUse(dir.resolve("sys"), dir.resolve("proc"));
    }

    @Test
    void namesTheLoopDeviceAndItsMountPoint() throws IOException {
        assertThat(kernel.loopOn(image, false)).isEqualTo("/dev/loop3, mounted on /mnt/here");
        assertThat(kernel.loopOn(Files.createFile(dir.resolve("free")), false)).isNull();
    }

    @Test
    void aReadOnlyLoopDeviceIsNoObstacleToAReader() throws IOException {
        Files.writeString(dir.resolve("sys/block/loop3/ro"), "1\n");
        assertThat(kernel.loopOn(image, true)).isNull();
        assertThat(kernel.loopOn(image, false)).isNotNull();
    }

    @Test
    void namesMountsAndStackedDevices() throws IOException {
        assertThat(kernel.userOf("8:2")).isEqualTo("the kernel, mounted on /home");
        assertThat(kernel.userOf("8:1")).isEqualTo("/dev/dm-0");
        assertThat(kernel.userOf("8:3")).isNull();
    }

    @Test
    void aLoopDeviceThatGoesAwayMeanwhileIsNoError() throws Exception {
        Oracles.needKernelMounts();
        Path other = dir.resolve("other");
        Files.write(other, new byte[1 << 20]);
        AtomicBoolean done = new AtomicBoolean();
        Thread churn = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 60; i++) {
                String device =
                        Tool.run("losetup", "-f", "--show", other).output().strip();
                Tool.run("losetup", "-d", device);
            }
            done.set(true);
        });
        KernelUse real = new KernelUse(Path.of("/sys"), Path.of("/proc"));
        while (!done.get()) {
            assertThat(real.loopOn(image, false)).isNull();
        }
        churn.join();
    }
}
