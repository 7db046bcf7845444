// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.MountPoint;
import ext4.fuse.channel.Descriptors;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.util.Map;

/**
 * Mounted by mount(2), which takes the superuser.
 *
 * @param where what was asked for
 * @param directory the mount point's real path
 */
record DirectMount(MountPoint where, String directory, int descriptor) implements Attachment {
    // mount(2)
    private static final long MS_NOSUID = 2;
    private static final long MS_NODEV = 4;
    private static final long MS_NOEXEC = 8;
    private static final long MS_REMOUNT = 32;
    private static final long MS_NOATIME = 1 << 10;
    private static final long MS_STRICTATIME = 1 << 24;

    /**
     * Mounts. The kernel checks access by the modes of files (default_permissions).
     *
     * @return null if this process is not permitted to mount
     * @throws DeviceException if it can't be done for another reason
     */
    static DirectMount attach(SystemCalls calls, MountPoint where, String directory) {
        int fd = Descriptors.open(calls);
        String options = "fd=" + fd + ",rootmode=40000,user_id=" + Integer.toUnsignedString(calls.effectiveUser())
                + ",group_id=" + Integer.toUnsignedString(calls.effectiveGroup()) + ",default_permissions"
                + (where.allowOther() ? ",allow_other" : "");
        int result = calls.mount(
                where.source(), directory, "fuse." + Mounts.SUBTYPE, flags(where, where.readOnly()), options);
        if (result == 0) {
            return new DirectMount(where, directory, fd);
        }
        calls.close(fd);
        if (result == -Linux.EPERM || result == -Linux.EACCES) {
            return null;
        }
        throw new DeviceException(where.directory() + ": mount: " + Linux.errorText(-result));
    }

    private static long flags(MountPoint where, boolean readOnly) {
        long flags = readOnly ? SystemCalls.MS_RDONLY : 0;
        for (String word : where.flags()) {
            flags |= switch (word) {
                case "nosuid" -> MS_NOSUID;
                case "nodev" -> MS_NODEV;
                case "noexec" -> MS_NOEXEC;
                case "noatime" -> MS_NOATIME;
                case "strictatime" -> MS_STRICTATIME;
                default -> throw new IllegalArgumentException(word);
            };
        }
        return flags;
    }

    @Override
    public Map<String, String> words() {
        return Map.of(Mounts.WAY, Mounts.DIRECT, Mounts.DIRECTORY, directory);
    }

    @Override
    public int unmount(SystemCalls calls, boolean lazy) {
        return calls.umount(directory, lazy ? SystemCalls.MNT_DETACH : 0);
    }

    /** All flags are given anew, or those of the mount point would be cleared. */
    @Override
    public int remount(SystemCalls calls, boolean readOnly) {
        return calls.mount(
                where.source(), directory, "fuse." + Mounts.SUBTYPE, MS_REMOUNT | flags(where, readOnly), "");
    }
}
