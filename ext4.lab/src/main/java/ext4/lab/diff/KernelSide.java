// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.sys.LoopDevice;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's ext4 on the image's loop device. */
final class KernelSide implements Side {
    private static final String OPTIONS = "errors=continue,noinit_itable";
    /** mount(2). */
    private static final long MS_NOATIME = 1024;

    private final Path directory;
    private final long flags;
    private LoopDevice loop;
    private MountedCalls calls;

    /** @param accessTimes whether reading changes them */
    KernelSide(Ground ground, boolean accessTimes) {
        flags = accessTimes ? 0 : MS_NOATIME;
        directory = ground.mountpoint("kernel");
    }

    @Override
    public void mount(Path image) {
        loop = LoopDevice.attach(image.toString());
        try (Arena arena = Arena.ofConfined()) {
            int result = new SystemCalls(arena).mount(loop.path(), directory.toString(), "ext4", flags, OPTIONS);
            if (result < 0) {
                loop.close();
                throw new UncheckedIOException(
                        new IOException("the kernel does not mount " + image + ": " + Refused.name(-result)));
            }
        }
        splitAlways(loop.path());
        calls = new MountedCalls(directory, true);
    }

    /** Else a write into a short unwritten extent makes all of it written, which shows as data. */
    private static void splitAlways(String loop) {
        try {
            Files.writeString(
                    Path.of("/sys/fs/ext4", Path.of(loop).getFileName().toString(), "extent_max_zeroout_kb"), "0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MountedCalls calls() {
        return calls;
    }

    @Override
    public void unmount() {
        if (calls != null) {
            calls.close();
            calls = null;
            try (Arena arena = Arena.ofConfined()) {
                Refused.unless(new SystemCalls(arena).umount(directory.toString(), 0));
            }
            loop.close();
        }
    }
}
