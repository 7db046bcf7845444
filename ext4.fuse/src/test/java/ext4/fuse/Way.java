// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.api.fs.Transport;
import java.nio.file.Files;
import java.nio.file.Path;

/** The two ways that requests come, each of which has to do the same. */
enum Way {
    READS(new FuseTransport()),
    RING(new FuseRingTransport());

    private static final Path SETTING = Path.of("/sys/module/fuse/parameters/enable_uring");

    private final Transport transport;

    Way(Transport transport) {
        this.transport = transport;
    }

    Transport transport() {
        return transport;
    }

    /** Says why and skips where it can't be used; where nothing may be missing that can be had it fails instead. */
    void assumeUsable() {
        Shell.assumeFuse();
        String refusal = transport.unavailable();
        if (Boolean.parseBoolean(System.getenv("EXT4_REQUIRE_ORACLES")) && Files.exists(SETTING)) {
            assertNull(refusal, "all tests must run here");
        }
        assumeTrue(refusal == null, () -> "skipped: " + refusal);
    }
}
