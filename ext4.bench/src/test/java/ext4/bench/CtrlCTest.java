// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the bench was doing, it takes away what it made. */
@Timeout(180)
class CtrlCTest {
    @TempDir
    private Path folder;

    @Test
    void mountsLoopDevicesAndImagesAreTakenAway() throws Exception {
        Oracles.needFuse();
        Oracles.needKernelMounts();
        Path log = folder.resolve("bench.log");
        Process bench = new ProcessBuilder(List.of(
                        "env", // in the background of a script SIGINT is ignored, and a JVM keeps to that
                        "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dext4.home=" + System.getProperty("ext4.home"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--report=fchown",
                        "--place=mount",
                        "--journal=journal",
                        "--strategy=sharded",
                        "--peer=kernel-ext4,null",
                        "--millis=60000",
                        "--warmup=1",
                        "--dir=" + folder))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // the warm-up of the first one lasts for minutes: something is mounted and a load is running
        while (!mounts().contains(folder + "/ext4-bench.")) {
            assertThat(bench.waitFor(50, TimeUnit.MILLISECONDS))
                    .as("bench ended: %s", Files.readString(log))
                    .isFalse();
        }
        Tool.run("kill", "-INT", bench.pid()).ok();
        assertThat(bench.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(bench.exitValue()).isEqualTo(130);
        assertThat(mounts()).doesNotContain(folder.toString());
        assertThat(Tool.run("losetup", "-a").output()).doesNotContain(folder.toString());
        assertThat(Files.readString(log)).doesNotContain("left");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(log);
        }
    }

    private static String mounts() throws IOException {
        return Files.readString(Path.of("/proc/self/mounts"));
    }
}
