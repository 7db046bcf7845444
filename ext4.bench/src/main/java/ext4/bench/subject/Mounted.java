// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.io.IOException;
import java.nio.file.Path;

/** A filesystem at a mount point. */
abstract class Mounted extends Subject {
    private Path directory;

    Mounted(Label label, Ground ground) {
        super(label, ground);
    }

    /** Makes the mount point. */
    final Path prepare(String name) throws IOException {
        directory = ground().mountpoint(name);
        return directory;
    }

    /** The mount point. */
    public final Path directory() {
        return directory;
    }

    @Override
    final Worker worker() throws IOException {
        return ground().load();
    }

    @Override
    final String place() {
        return directory.toString();
    }
}
