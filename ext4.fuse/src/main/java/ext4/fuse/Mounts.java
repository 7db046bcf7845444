// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.MountPoint;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Attaches a FUSE connection to a mount point by mount(2), which takes the superuser. */
final class Mounts {
    private static final String TYPE = "fuse.ext4j";

    private Mounts() {}

    /**
     * The mount point's real path.
     *
     * @throws DeviceException if it is missing or no directory
     */
    static String checked(String directory) {
        try {
            Path path = Path.of(directory).toRealPath();
            if (!Files.readAttributes(path, BasicFileAttributes.class).isDirectory()) {
                throw new DeviceException(directory + ": mount point is not a directory");
            }
            return path.toString();
        } catch (NoSuchFileException e) {
            throw new DeviceException(directory + ": mount point does not exist");
        } catch (AccessDeniedException e) {
            throw new DeviceException(directory + ": mount point: permission denied");
        } catch (FileSystemException e) {
            throw new DeviceException(
                    directory + ": mount point: " + (e.getReason() == null ? e.getMessage() : e.getReason()));
        } catch (IOException e) {
            throw new DeviceException(directory + ": mount point: " + e.getMessage(), e);
        }
    }

    /** Throws if mount(2) will refuse. A superuser without the capability is found out by the mount itself. */
    static void checkPermission(SystemCalls calls, MountPoint where) {
        if (calls.effectiveUser() != 0) {
            throw notPermitted(where);
        }
    }

    private static DeviceException notPermitted(MountPoint where) {
        return new DeviceException(where.directory() + ": not permitted to mount; run as root");
    }

    /**
     * Mounts. The kernel checks access by the modes of files (default_permissions).
     *
     * @param directory the mount point's real path
     * @param fd a descriptor of /dev/fuse without a connection yet
     */
    static void mount(SystemCalls calls, MountPoint where, String directory, int fd) {
        String options = "fd=" + fd + ",rootmode=40000,user_id=" + Integer.toUnsignedString(calls.effectiveUser())
                + ",group_id=" + Integer.toUnsignedString(calls.effectiveGroup()) + ",default_permissions"
                + (where.allowOther() ? ",allow_other" : "");
        long flags = where.readOnly() ? SystemCalls.MS_RDONLY : 0;
        int result = calls.mount(where.source(), directory, TYPE, flags, options);
        if (result == -Linux.EPERM || result == -Linux.EACCES) {
            throw notPermitted(where);
        }
        if (result < 0) {
            throw new DeviceException(where.directory() + ": mount: " + Linux.errorText(-result));
        }
    }
}
