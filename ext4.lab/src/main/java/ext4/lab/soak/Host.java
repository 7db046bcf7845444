// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine lets a process do. */
final class Host {
    private static final Path RINGS = Path.of("/sys/module/fuse/parameters/enable_uring");

    private Host() {}

    /** FUSE over io_uring. */
    static boolean allowsRings() {
        try {
            return Files.readString(RINGS).startsWith("Y");
        } catch (IOException e) {
            return false; // a kernel without it
        }
    }
}
