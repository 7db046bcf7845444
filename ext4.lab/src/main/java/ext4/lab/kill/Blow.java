// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import java.util.Locale;

/** What befalls the process that serves a mount. */
enum Blow {
    /** SIGKILL. */
    KILL,
    /** SIGTERM: it unmounts, though the mount is in use, and ends. */
    TERM,
    /** A heap that is too small. */
    MEMORY,
    /** The filesystem that holds the image, a sparse file, fills up. */
    DISK,
    /** RLIMIT_FSIZE below the size of the image. */
    FILE_SIZE,
    /** RLIMIT_NOFILE at what it has open. */
    FILES;

    /** As an operator writes it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the process may go on. */
    boolean maySurvive() {
        return this != KILL && this != TERM;
    }
}
