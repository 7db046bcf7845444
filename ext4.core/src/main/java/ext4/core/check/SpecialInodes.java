// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.Superblock;

/** The inodes with a number of their own. */
final class SpecialInodes {
    static final int BAD_BLOCKS = 1;
    static final int ROOT = 2;
    static final int USER_QUOTA = 3;
    static final int GROUP_QUOTA = 4;
    static final int BOOT_LOADER = 5;
    static final int RESIZE = 7;
    static final int JOURNAL = 8;

    private final Superblock sb;
    private final Report report;
    private final int userQuota;
    private final int groupQuota;
    private final int projectQuota;

    SpecialInodes(State state) {
        sb = state.fs.sb;
        report = state.report;
        RawSuperblock raw = new RawSuperblock(sb.bytes(), 0);
        userQuota = (int) raw.userQuotaIno();
        groupQuota = (int) raw.groupQuotaIno();
        projectQuota = (int) raw.projectQuotaIno();
    }

    /** Below the first ordinary number, and not the root. */
    boolean isReserved(int ino) {
        return ino != ROOT && Integer.compareUnsigned(ino, sb.firstIno()) < 0;
    }

    /** Whether the inode needs no name: reserved, or the orphan file. */
    boolean isHidden(int ino) {
        return isReserved(ino) || sb.has(Feature.ORPHAN_FILE) && ino == sb.orphanFileIno();
    }

    /** The quota inodes that the superblock names, whether or not there is the feature. */
    void checkQuotaNumbers() {
        quotaNumber("user", userQuota, USER_QUOTA);
        quotaNumber("group", groupQuota, GROUP_QUOTA);
        quotaNumber("project", projectQuota, 0);
    }

    private void quotaNumber(String kind, int ino, int own) {
        boolean inside = Integer.compareUnsigned(ino, sb.inodesCount()) <= 0;
        if (ino != 0 && ino != own && (!inside || Integer.compareUnsigned(ino, sb.firstIno()) < 0)) {
            report.problem("Invalid %s quota inode %d.", kind, Integer.toUnsignedLong(ino));
        }
    }

    /** Whether no name may lead to it: it is reserved and not the root, or the superblock names it for another use. */
    boolean isUnnameable(int ino) {
        return isReserved(ino)
                || ino == userQuota
                || ino == groupQuota
                || ino == projectQuota
                || ino == sb.orphanFileIno();
    }

    /** Whether the inode is kept for a quota file, which only the refused feature quota makes use of. */
    boolean isQuota(int ino) {
        return ino == USER_QUOTA || ino == GROUP_QUOTA;
    }

    boolean isDevice(int mode) {
        return switch (mode & FileMode.S_IFMT) {
            case FileMode.S_IFCHR, FileMode.S_IFBLK, FileMode.S_IFIFO, FileMode.S_IFSOCK -> true;
            default -> false;
        };
    }

    /** Whether i_block of an inode of that mode says where its blocks are. */
    boolean hasBlocks(int mode) {
        return FileMode.isRegular(mode) || FileMode.isDirectory(mode) || FileMode.isSymlink(mode);
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
            case USER_QUOTA, GROUP_QUOTA -> isClear(b, off);
            case RESIZE -> mode == 0 || FileMode.isRegular(mode);
            case BOOT_LOADER -> !FileMode.isDirectory(mode);
            case JOURNAL -> ino == sb.journalIno() ? FileMode.isRegular(mode) : isClear(b, off);
            default -> mode == 0;
        };
        if (!right) {
            report.problem(
                    "Reserved inode %d looks invalid (mode 0%o), or is not in use but contains data.", ino, mode);
        }
    }

    private static boolean isClear(byte[] b, int off) {
        return InodeRecord.links(b, off) == 0 && InodeRaw.blocksLow(b, off) == 0 && InodeRaw.word(b, off, 0) == 0;
    }

    private boolean badBlocks(byte[] b, int off) {
        return InodeRecord.mode(b, off) == 0
                && (InodeRecord.uid(b, off) & 0xFFFF) == 0
                && (InodeRecord.gid(b, off) & 0xFFFF) == 0
                && InodeRecord.links(b, off) == 0
                && (InodeRecord.fileAcl(b, off) & (sb.has(Feature.BIT64) ? -1L : 0xFFFF_FFFFL)) == 0
                && !InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.EXTENTS);
    }
}
