// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** The inodes with a number of their own. */
final class SpecialInodes {
    static final int BAD_BLOCKS = 1;
    static final int ROOT = 2;
    static final int BOOT_LOADER = 5;
    static final int RESIZE = 7;

    private final Superblock sb;
    private final Report report;

    SpecialInodes(State state) {
        sb = state.fs.sb;
        report = state.report;
    }

    /** Below the first ordinary number, and not the root. */
    boolean isReserved(int ino) {
        return ino != ROOT && Integer.compareUnsigned(ino, sb.firstIno()) < 0;
    }

    /** Whether the inode needs no name: reserved, or the orphan file. */
    boolean isHidden(int ino) {
        return isReserved(ino) || sb.has(Feature.ORPHAN_FILE) && ino == sb.orphanFileIno();
    }

    boolean isDevice(int mode) {
        return switch (mode & FileMode.S_IFMT) {
            case FileMode.S_IFCHR, FileMode.S_IFBLK, FileMode.S_IFIFO, FileMode.S_IFSOCK -> true;
            default -> false;
        };
    }

    /** A record that is all zero: right for most. */
    void zero(int ino) {
        if (ino == ROOT) {
            report.problem("Root inode is not a directory (it is not in use).");
        }
    }

    /** The mode of a reserved inode that is not all zero. */
    void check(int ino, byte[] b, int off) {
        int mode = InodeRecord.mode(b, off);
        boolean right = switch (ino) {
            case BAD_BLOCKS -> badBlocks(b, off);
            case RESIZE -> mode == 0 || FileMode.isRegular(mode);
            case BOOT_LOADER -> !FileMode.isDirectory(mode);
            default -> ino == sb.journalIno() ? FileMode.isRegular(mode) : mode == 0;
        };
        if (!right) {
            report.problem("Reserved inode %d has invalid mode (0%o).", ino, mode);
        }
    }

    private static boolean badBlocks(byte[] b, int off) {
        return InodeRecord.mode(b, off) == 0
                && InodeRecord.links(b, off) == 0
                && InodeRecord.fileAcl(b, off) == 0
                && !InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.EXTENTS);
    }
}
