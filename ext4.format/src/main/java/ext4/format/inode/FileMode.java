// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

/** Bits of i_mode (inode(7)). */
public final class FileMode {
    /** Mask of the file type. */
    public static final int S_IFMT = 0xF000;

    public static final int S_IFSOCK = 0xC000;
    public static final int S_IFLNK = 0xA000;
    public static final int S_IFREG = 0x8000;
    public static final int S_IFBLK = 0x6000;
    public static final int S_IFDIR = 0x4000;
    public static final int S_IFCHR = 0x2000;
    public static final int S_IFIFO = 0x1000;
    public static final int S_ISUID = 0x800;
    public static final int S_ISGID = 0x400;
    public static final int S_ISVTX = 0x200;
    public static final int S_IXGRP = 0x8;
    /** All bits but the type. */
    public static final int PERMISSIONS = 0xFFF;

    private FileMode() {}

    public static boolean isRegular(int mode) {
        return (mode & S_IFMT) == S_IFREG;
    }

    public static boolean isDirectory(int mode) {
        return (mode & S_IFMT) == S_IFDIR;
    }

    public static boolean isSymlink(int mode) {
        return (mode & S_IFMT) == S_IFLNK;
    }

    /** Character or block device. */
    public static boolean isDevice(int mode) {
        return (mode & S_IFMT) == S_IFCHR || (mode & S_IFMT) == S_IFBLK;
    }

    /** Whether the type is one of the seven. */
    public static boolean isKnown(int mode) {
        return directoryEntryType(mode) != 0;
    }

    /** file_type of a directory entry that names an inode of this mode: 1 regular to 7 symlink, 0 unknown. */
    public static int directoryEntryType(int mode) {
        return switch (mode & S_IFMT) {
            case S_IFREG -> 1;
            case S_IFDIR -> 2;
            case S_IFCHR -> 3;
            case S_IFBLK -> 4;
            case S_IFIFO -> 5;
            case S_IFSOCK -> 6;
            case S_IFLNK -> 7;
            default -> 0;
        };
    }

    /** The S_IFMT bits of a directory entry's file_type; 0 unknown. */
    public static int ofDirectoryEntryType(int fileType) {
        return switch (fileType) {
            case 1 -> S_IFREG;
            case 2 -> S_IFDIR;
            case 3 -> S_IFCHR;
            case 4 -> S_IFBLK;
            case 5 -> S_IFIFO;
            case 6 -> S_IFSOCK;
            case 7 -> S_IFLNK;
            default -> 0;
        };
    }
}
