// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.inode.Inode;
import ext4.format.inode.DeviceNumber;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import java.util.Arrays;

/** mknod(2). */
public final class Mknod {
    private static final int MAX_MAJOR = 0xFFF;
    private static final int MAX_MINOR = 0xFFFFF;

    private final Namespace ns;

    /** In this filesystem. */
    public Mknod(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Makes a regular file, fifo, socket or device of that name, pinned once.
     *
     * @param mode type and permission bits; no type means a regular file
     * @param major of a device, 12 bits
     * @param minor of a device, 20 bits
     * @throws ErrnoException as {@link Create}; EPERM for a directory, EINVAL for another type or a number that is too large
     */
    public void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        int type = mode & FileMode.S_IFMT;
        int typed = mode & FileMode.PERMISSIONS | (type == 0 ? FileMode.S_IFREG : type);
        if (FileMode.isDirectory(typed)) {
            throw ErrnoException.of(Errno.EPERM);
        }
        boolean device = FileMode.isDevice(typed);
        boolean fits = (major & ~MAX_MAJOR) == 0 && (minor & ~MAX_MINOR) == 0;
        if (!FileMode.isKnown(typed) || FileMode.isSymlink(typed) || device && !fits) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        Creation.Body body = device ? new Device(DeviceNumber.of(major, minor)) : Creation.EMPTY;
        new Creation(ns, who, parent, name, typed, body, out).run();
    }

    private record Device(int number) implements Creation.Body {
        @Override
        public int credits(Inode parent) {
            return 0;
        }

        @Override
        public void fill(Handle handle, Inode parent, Inode fresh) {
            fresh.flags &= ~InodeFlags.EXTENTS;
            Arrays.fill(fresh.iBlock, (byte) 0);
            DeviceNumber.setIBlock(fresh.iBlock, number);
        }
    }
}
