// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** File type and permission bits of i_mode, as in stat(2) and inode(7). */
public final class Mode {
    public static final int TYPE = 0170000;
    public static final int SOCKET = 0140000;
    public static final int SYMLINK = 0120000;
    public static final int REGULAR = 0100000;
    public static final int BLOCK_DEVICE = 0060000;
    public static final int DIRECTORY = 0040000;
    public static final int CHAR_DEVICE = 0020000;
    public static final int FIFO = 0010000;
    public static final int SET_UID = 04000;
    public static final int SET_GID = 02000;
    public static final int STICKY = 01000;
    public static final int GROUP_EXECUTE = 00010;
    /** Permission, sticky and set-id bits. */
    public static final int PERMISSIONS = 07777;

    private Mode() {}

    public static boolean isDirectory(int mode) {
        return (mode & TYPE) == DIRECTORY;
    }

    public static boolean isRegular(int mode) {
        return (mode & TYPE) == REGULAR;
    }

    public static boolean isSymlink(int mode) {
        return (mode & TYPE) == SYMLINK;
    }

    /** Character or block device. */
    public static boolean isDevice(int mode) {
        return (mode & TYPE) == CHAR_DEVICE || (mode & TYPE) == BLOCK_DEVICE;
    }

    /**
     * The mode without what a write or chown clears: set-user-id, and set-group-id where the group may execute (without
     * that bit it once meant mandatory locking).
     */
    public static int withoutSetId(int mode) {
        int cleared = mode & ~SET_UID;
        return (mode & GROUP_EXECUTE) != 0 ? cleared & ~SET_GID : cleared;
    }
}
