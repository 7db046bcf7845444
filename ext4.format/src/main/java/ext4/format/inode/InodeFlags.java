// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

/** Bits of i_flags. */
public final class InodeFlags {
    public static final int SECRM = 0x1;
    public static final int UNRM = 0x2;
    public static final int COMPR = 0x4;
    public static final int SYNC = 0x8;
    public static final int IMMUTABLE = 0x10;
    public static final int APPEND = 0x20;
    public static final int NODUMP = 0x40;
    public static final int NOATIME = 0x80;
    public static final int DIRTY = 0x100;
    public static final int COMPRBLK = 0x200;
    public static final int NOCOMPR = 0x400;
    public static final int ENCRYPT = 0x800;
    /** The directory has a hash tree. */
    public static final int INDEX = 0x1000;

    public static final int IMAGIC = 0x2000;
    public static final int JOURNAL_DATA = 0x4000;
    public static final int NOTAIL = 0x8000;
    public static final int DIRSYNC = 0x10000;
    public static final int TOPDIR = 0x20000;
    /** i_blocks counts filesystem blocks instead of sectors. */
    public static final int HUGE_FILE = 0x40000;
    /** i_block holds the root of an extent tree. */
    public static final int EXTENTS = 0x80000;

    public static final int VERITY = 0x100000;
    public static final int EA_INODE = 0x200000;
    public static final int NOCOW = 0x800000;
    public static final int DAX = 0x2000000;
    public static final int INLINE_DATA = 0x10000000;
    public static final int PROJINHERIT = 0x20000000;
    public static final int CASEFOLD = 0x40000000;

    /** What a user may see. */
    public static final int USER_VISIBLE = 0x604BDFFF;
    /** What a user may change. */
    public static final int USER_MODIFIABLE = 0x604B80FF;

    /** What any new inode takes over from its directory. */
    public static final int INHERITED = SECRM
            | UNRM
            | COMPR
            | SYNC
            | NODUMP
            | NOATIME
            | NOCOMPR
            | JOURNAL_DATA
            | NOTAIL
            | DIRSYNC
            | PROJINHERIT
            | CASEFOLD
            | DAX;

    /** Of the inherited, what makes no sense on a regular file. */
    private static final int DIRECTORIES_ONLY = DIRSYNC | TOPDIR | CASEFOLD | PROJINHERIT;

    private InodeFlags() {}

    public static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }

    /** Flags of a new inode of that mode in a directory with those flags. */
    public static int inherited(int parentFlags, int mode) {
        int flags = parentFlags & INHERITED;
        if (FileMode.isDirectory(mode)) {
            return flags;
        }
        return FileMode.isRegular(mode) ? flags & ~DIRECTORIES_ONLY : flags & (NODUMP | NOATIME);
    }
}
