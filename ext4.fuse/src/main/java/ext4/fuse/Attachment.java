// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.sys.SystemCalls;
import java.util.Map;

/** A FUSE connection at its mount point, and the way to take it away again. */
interface Attachment {
    /** A descriptor of the connection, opened as {@link ext4.fuse.channel.Descriptors#open} does. */
    int descriptor();

    /** The mount point's real path. */
    String directory();

    /** All that {@link Mounts#attached} needs to know another time. */
    Map<String, String> words();

    /**
     * Unmounts.
     *
     * @param lazy as MNT_DETACH of umount2(2)
     * @return 0 or a negative error number: EBUSY, or EINVAL if it is no mount point any more
     */
    int unmount(SystemCalls calls, boolean lazy);

    /**
     * Makes the mount point read-only or read-write, where that can be done.
     *
     * @return 0 or a negative error number: EBUSY if files are open for writing, or unlinked files open
     */
    int remount(SystemCalls calls, boolean readOnly);
}
