// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.List;

/**
 * Where and how a transport mounts.
 *
 * @param source what mount(8) shows as the source, normally the image's absolute path
 * @param directory absolute path of the mount point
 * @param readOnly ro
 * @param allowOther allow_other: users other than the one who mounts may use it
 * @param flags what the kernel itself is to keep to, in mount(8)'s words: of {@link #FLAGS}
 */
public record MountPoint(String source, String directory, boolean readOnly, boolean allowOther, List<String> flags) {
    /** All there are. The kernel does not act upon the last two, access times are the filesystem's; mount(8) shows them. */
    public static final List<String> FLAGS = List.of("nosuid", "nodev", "noexec", "noatime", "strictatime");

    public MountPoint {
        flags = List.copyOf(flags);
        if (!FLAGS.containsAll(flags)) {
            throw new IllegalArgumentException(flags + " are not all of " + FLAGS);
        }
    }

    /** Without flags. */
    public MountPoint(String source, String directory, boolean readOnly, boolean allowOther) {
        this(source, directory, readOnly, allowOther, List.of());
    }
}
