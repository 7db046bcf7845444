// SPDX-License-Identifier: Apache-2.0
package ext4.exam.container;

import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import ext4.exam.MountedImage;
import java.nio.file.Path;

/** The mount as the test sees it. */
record Mounted(Mount mount, boolean inProcess) implements MountedImage {
    @Override
    public Path root() {
        check();
        if (inProcess) {
            throw new IllegalStateException(
                    mount.image() + " has no mount point: it was asked for in this process only");
        }
        return Path.of(mount.mountpoint());
    }

    @Override
    public FileSystem fileSystem() {
        check();
        return mount.fileSystem();
    }

    @Override
    public Path image() {
        return Path.of(mount.image());
    }

    private void check() {
        if (mount.state() != Mount.State.MOUNTED) {
            throw new IllegalStateException(mount.mountpoint() + ": " + mount.state() + ": " + mount.failure());
        }
    }
}
