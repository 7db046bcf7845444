// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.nio.file.Path;

/** One of the two that work on an image. */
interface Side extends AutoCloseable {
    /** Brings the image to life. */
    void mount(Path image);

    /** The calls while it is mounted. */
    Calls calls();

    /** Leaves the image clean. Does nothing if it is not mounted. */
    void unmount();

    @Override
    default void close() {
        unmount();
    }
}
