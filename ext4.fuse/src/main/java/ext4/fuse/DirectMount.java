// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.MountPoint;
import ext4.fuse.channel.Descriptors;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;

/**
 * Mounted by mount(2), which takes the superuser.
 *
 * @param directory the mount point's real path
 */
record DirectMount(String directory, int descriptor) implements Attachment {
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
        long flags = where.readOnly() ? SystemCalls.MS_RDONLY : 0;
        int result = calls.mount(where.source(), directory, "fuse." + Mounts.SUBTYPE, flags, options);
        if (result == 0) {
            return new DirectMount(directory, fd);
        }
        calls.close(fd);
        if (result == -Linux.EPERM || result == -Linux.EACCES) {
            return null;
        }
        throw new DeviceException(where.directory() + ": mount: " + Linux.errorText(-result));
    }

    @Override
    public int unmount(SystemCalls calls, boolean lazy) {
        return calls.umount(directory, lazy ? SystemCalls.MNT_DETACH : 0);
    }
}
