// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.api.fs.Transport;
import ext4.fuse.FuseRingTransport;
import ext4.fuse.FuseTransport;
import java.util.List;

/** The transports that a filesystem can be served through, by name. */
public final class Transports {
    /** Names, the default first. */
    public static final List<String> NAMES = List.of("fuse", "fuse-uring");

    private Transports() {}

    /** The transport of that name. */
    public static Transport named(String name) {
        return switch (name) {
            case "fuse" -> new FuseTransport();
            case "fuse-uring" -> new FuseRingTransport();
            default -> throw new IllegalArgumentException("no transport is called " + name + "; there are " + NAMES);
        };
    }
}
