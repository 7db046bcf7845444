// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import ext4.sys.IoUring;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Whether this host lets FUSE use io_uring. That is its administrator's choice, which is looked at and never changed. */
public final class RingSupport {
    /** Why a mount can't be kept for another process. */
    public static final String PROCESS_BOUND =
            "a mount that is served over io_uring can't outlive its process, since the"
                    + " kernel puts requests into that process's memory; mount it with transport=fuse";

    private static final Path SETTING = Path.of("/sys/module/fuse/parameters/enable_uring");

    private RingSupport() {}

    /** Why it can't be used now, in one sentence that says what to do about it; null if it can. */
    public static String refusal() {
        String setting = setting(SETTING);
        return setting != null ? setting : ring();
    }

    static String setting(Path parameter) {
        try {
            return Files.readString(parameter).strip().equals("Y")
                    ? null
                    : "FUSE over io_uring is off on this host; root can turn it on: echo Y > " + SETTING;
        } catch (NoSuchFileException e) {
            return "the kernel has no FUSE over io_uring, which Linux 6.14 brought, or its fuse module is not loaded";
        } catch (IOException e) {
            return parameter + " can't be read: " + e.getMessage();
        }
    }

    private static String ring() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            IoUring.open(calls, 1).close(calls);
            return null;
        } catch (UnsupportedOperationException e) {
            return e.getMessage();
        }
    }
}
