// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.TransportState;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;

/** Descriptors of a connection that is another process's. */
final class Connections {
    private Connections() {}

    /** Closes those of this process. */
    static void close(TransportState state) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            state.descriptors().forEach(calls::close);
        }
    }
}
