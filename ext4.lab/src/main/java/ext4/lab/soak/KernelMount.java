// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.IOException;
import java.nio.file.Path;

/** The image mounted by the kernel's ext4 on a loop device. */
final class KernelMount {
    private final Path directory;

    private KernelMount(Path directory) {
        this.directory = directory;
    }

    /** @param options as for mount(8) */
    static KernelMount start(Ground ground, String name, String options) throws IOException, InterruptedException {
        Path directory = ground.mountpoint(name);
        Commands.must(
                Commands.find("mount"),
                "-t",
                "ext4",
                "-o",
                "loop," + options,
                ground.image().toString(),
                directory.toString());
        return new KernelMount(directory);
    }

    Path directory() {
        return directory;
    }

    /** The loop device goes with the mount. */
    void end() throws IOException, InterruptedException {
        Commands.must(Commands.find("umount"), directory.toString());
    }
}
