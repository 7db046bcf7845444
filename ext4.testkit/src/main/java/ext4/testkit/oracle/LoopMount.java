// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An image mounted by the kernel's ext4 on a loop device; unmounted when closed. Needs {@link Oracles#needKernelMounts}. */
public final class LoopMount implements AutoCloseable {
    private final Path directory;
    private boolean mounted;

    /** Mounts {@code image}; {@code options} is the text after {@code -o}, for example {@code rw} or {@code ro,noload}. */
    public LoopMount(Path image, String options) {
        try {
            directory = Files.createTempDirectory("ext4-loop");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Tool.Result result = Tool.run("mount", "-t", "ext4", "-o", "loop," + options, image, directory);
        mounted = result.exit() == 0;
        if (!mounted) {
            directory.toFile().delete();
            result.ok();
        }
    }

    /** The mount point. */
    public Path root() {
        return directory;
    }

    @Override
    public void close() {
        if (mounted) {
            mounted = false;
            Tool.run("umount", directory).ok();
            directory.toFile().delete();
        }
    }
}
