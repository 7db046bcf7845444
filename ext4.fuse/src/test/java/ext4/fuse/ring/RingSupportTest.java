// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingSupportTest {
    @TempDir
    Path dir;

    @Test
    void saysInOneLineHowToAllowIt() throws IOException {
        Path setting = Files.writeString(dir.resolve("enable_uring"), "N\n");
        assertThat(RingSupport.setting(setting))
                .isEqualTo("FUSE over io_uring is off on this host; root can turn it on:"
                        + " echo Y > /sys/module/fuse/parameters/enable_uring");
        assertThat(setting).as("it is looked at only").hasContent("N\n");
    }

    @Test
    void isContentWhereItIsAllowed() throws IOException {
        assertThat(RingSupport.setting(Files.writeString(dir.resolve("enable_uring"), "Y\n")))
                .isNull();
    }

    @Test
    void namesAKernelThatHasNone() {
        assertThat(RingSupport.setting(dir.resolve("missing"))).contains("the kernel has no FUSE over io_uring");
    }
}
