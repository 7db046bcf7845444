// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/** The fields of an inode record but times, deletion time and checksum. {@code off}: where the record begins. */
public final class InodeRecord {
    /** Bytes every record has. */
    public static final int BASE_SIZE = 128;
    /** Bytes of i_block: extent root, block map, target of a fast symlink, or device number. */
    public static final int I_BLOCK_BYTES = 60;
    /** Most links of a file; a directory that would exceed it gets 1 (dir_nlink). */
    public static final int MAX_LINKS = 65000;

    static final int MODE = 0x00;
    static final int UID_LO = 0x02;
    static final int SIZE_LO = 0x04;
    static final int DTIME = 0x14;
    static final int GID_LO = 0x18;
    static final int LINKS = 0x1A;
    static final int BLOCKS_LO = 0x1C;
    static final int FLAGS = 0x20;
    static final int VERSION_LO = 0x24;
    static final int I_BLOCK = 0x28;
    static final int GENERATION = 0x64;
    static final int FILE_ACL_LO = 0x68;
    static final int SIZE_HI = 0x6C;
    static final int BLOCKS_HI = 0x74;
    static final int FILE_ACL_HI = 0x76;
    static final int UID_HI = 0x78;
    static final int GID_HI = 0x7A;
    static final int EXTRA_ISIZE = 0x80;
    static final int VERSION_HI = 0x98;
    static final int PROJID = 0x9C;
    /** The first byte behind the known fields. */
    static final int FIELDS_END = PROJID + 4;

    private static final long SECTORS_48_BIT = 0xFFFF_FFFF_FFFFL;

    private InodeRecord() {}

    /** Type and permission bits, see {@link FileMode}. */
    public static int mode(byte[] b, int off) {
        return Le.u16(b, off + MODE);
    }

    public static void setMode(byte[] b, int off, int mode) {
        Le.put16(b, off + MODE, mode);
    }

    /** Owner, unsigned. */
    public static int uid(byte[] b, int off) {
        return Le.u16(b, off + UID_LO) | Le.u16(b, off + UID_HI) << 16;
    }

    public static void setUid(byte[] b, int off, int uid) {
        Le.put16(b, off + UID_LO, uid);
        Le.put16(b, off + UID_HI, uid >>> 16);
    }

    /** Group of owners, unsigned. */
    public static int gid(byte[] b, int off) {
        return Le.u16(b, off + GID_LO) | Le.u16(b, off + GID_HI) << 16;
    }

    public static void setGid(byte[] b, int off, int gid) {
        Le.put16(b, off + GID_LO, gid);
        Le.put16(b, off + GID_HI, gid >>> 16);
    }

    /** Length in bytes: 64 bits for regular files, 32 for everything else. Negative only if {@link #check} was skipped. */
    public static long size(byte[] b, int off) {
        long low = Le.u32(b, off + SIZE_LO);
        return FileMode.isRegular(mode(b, off)) ? low | Le.u32(b, off + SIZE_HI) << 32 : low;
    }

    /** Stores both halves of the length in bytes. */
    public static void setSize(byte[] b, int off, long bytes) {
        Le.put32(b, off + SIZE_LO, bytes);
        Le.put32(b, off + SIZE_HI, bytes >>> 32);
    }

    public static int links(byte[] b, int off) {
        return Le.u16(b, off + LINKS);
    }

    public static void setLinks(byte[] b, int off, int links) {
        Le.put16(b, off + LINKS, links);
    }

    /** Space in 512-byte sectors, whatever unit the record uses. */
    public static long sectors(Superblock sb, byte[] b, int off) {
        long low = Le.u32(b, off + BLOCKS_LO);
        if (!sb.has(Feature.HUGE_FILE)) {
            return low;
        }
        long count = low | (long) Le.u16(b, off + BLOCKS_HI) << 32;
        return InodeFlags.has(flags(b, off), InodeFlags.HUGE_FILE) ? count << sb.blockBits() - 9 : count;
    }

    /**
     * Stores the space in 512-byte sectors, in filesystem blocks (flag HUGE_FILE) only if 48 bits of sectors don't
     * suffice.
     *
     * @return false, and nothing is stored, if the filesystem (without huge_file: 2^32 - 1 sectors) cannot express it
     */
    public static boolean setSectors(Superblock sb, byte[] b, int off, long sectors) {
        boolean huge = sectors > SECTORS_48_BIT;
        long count = huge ? sectors >>> sb.blockBits() - 9 : sectors;
        long limit = sb.has(Feature.HUGE_FILE) ? SECTORS_48_BIT : 0xFFFF_FFFFL;
        if (sectors < 0 || count > limit || huge && !sb.has(Feature.HUGE_FILE)) {
            return false;
        }
        Le.put32(b, off + BLOCKS_LO, count);
        Le.put16(b, off + BLOCKS_HI, (int) (count >>> 32));
        int flags = flags(b, off) & ~InodeFlags.HUGE_FILE;
        setFlags(b, off, huge ? flags | InodeFlags.HUGE_FILE : flags);
        return true;
    }

    /** Flag bits, see {@link InodeFlags}. */
    public static int flags(byte[] b, int off) {
        return Le.i32(b, off + FLAGS);
    }

    public static void setFlags(byte[] b, int off, int flags) {
        Le.put32(b, off + FLAGS, flags);
    }

    /** Generation; every checksum of the inode's blocks depends on it. */
    public static int generation(byte[] b, int off) {
        return Le.i32(b, off + GENERATION);
    }

    public static void setGeneration(byte[] b, int off, int generation) {
        Le.put32(b, off + GENERATION, generation);
    }

    /** Block of external extended attributes, or 0. */
    public static long fileAcl(byte[] b, int off) {
        return Le.u32(b, off + FILE_ACL_LO) | (long) Le.u16(b, off + FILE_ACL_HI) << 32;
    }

    public static void setFileAcl(byte[] b, int off, long pblk) {
        Le.put32(b, off + FILE_ACL_LO, pblk);
        Le.put16(b, off + FILE_ACL_HI, (int) (pblk >>> 32));
    }

    /** Change counter; 64 bits if the extra fields reach that far, else 32. */
    public static long version(byte[] b, int off, int inodeSize) {
        long low = Le.u32(b, off + VERSION_LO);
        return covers(b, off, inodeSize, VERSION_HI, 4) ? low | Le.u32(b, off + VERSION_HI) << 32 : low;
    }

    public static void setVersion(byte[] b, int off, int inodeSize, long version) {
        Le.put32(b, off + VERSION_LO, version);
        if (covers(b, off, inodeSize, VERSION_HI, 4)) {
            Le.put32(b, off + VERSION_HI, version >>> 32);
        }
    }

    /** Project, 0 if the record has none. */
    public static int projectId(byte[] b, int off, int inodeSize) {
        return covers(b, off, inodeSize, PROJID, 4) ? Le.i32(b, off + PROJID) : 0;
    }

    public static void setProjectId(byte[] b, int off, int inodeSize, int project) {
        if (covers(b, off, inodeSize, PROJID, 4)) {
            Le.put32(b, off + PROJID, project);
        }
    }

    /** Byte at which i_block begins, for the record at {@code off}: {@link #I_BLOCK_BYTES} bytes. */
    public static int iBlock(int off) {
        return off + I_BLOCK;
    }

    /** Bytes in use beyond the base 128; at most what the record holds. */
    public static int extraIsize(byte[] b, int off, int inodeSize) {
        return inodeSize <= BASE_SIZE ? 0 : Math.min(Le.u16(b, off + EXTRA_ISIZE), inodeSize - BASE_SIZE);
    }

    public static void setExtraIsize(byte[] b, int off, int inodeSize, int bytes) {
        if (inodeSize > BASE_SIZE) {
            Le.put16(b, off + EXTRA_ISIZE, bytes);
        }
    }

    /**
     * Byte at which the room for extended attributes within the record begins, for the record at {@code off}; it ends at
     * {@code off + inodeSize}. Empty for records of 128 bytes.
     */
    public static int xattrArea(byte[] b, int off, int inodeSize) {
        return off + BASE_SIZE + extraIsize(b, off, inodeSize);
    }

    /** Whether the record's extra fields reach a field of {@code bytes} at {@code field}. */
    static boolean covers(byte[] b, int off, int inodeSize, int field, int bytes) {
        return field + bytes <= BASE_SIZE + extraIsize(b, off, inodeSize);
    }

    /**
     * Whether the target of this symbolic link stands in i_block itself: shorter than 60 bytes, and no block but one of
     * extended attributes.
     */
    public static boolean isFastSymlink(Superblock sb, byte[] b, int off) {
        if (!FileMode.isSymlink(mode(b, off)) || size(b, off) >= I_BLOCK_BYTES) {
            return false;
        }
        int flags = flags(b, off);
        if (InodeFlags.has(flags, InodeFlags.EXTENTS) || InodeFlags.has(flags, InodeFlags.INLINE_DATA)) {
            return false;
        }
        long xattrSectors = fileAcl(b, off) == 0 ? 0 : sb.xattrBlockSectors();
        return sectors(sb, b, off) <= xattrSectors;
    }

    /**
     * Makes a record empty for a new inode: all zero but i_extra_isize, and but the deletion time, which is the orphan
     * store's to set.
     */
    public static void initialize(byte[] b, int off, int inodeSize, int extraIsize) {
        Arrays.fill(b, off, off + DTIME, (byte) 0);
        Arrays.fill(b, off + DTIME + 4, off + inodeSize, (byte) 0);
        setExtraIsize(b, off, inodeSize, extraIsize);
    }

    /**
     * Checks a record that is in use: checksum, i_extra_isize, i_size.
     *
     * @param pblk the block it was read from, for the evidence
     */
    public static void check(Superblock sb, int ino, byte[] b, int off, long pblk) throws FormatException {
        String structure = "inode " + Integer.toUnsignedString(ino);
        if (!InodeChecksum.verify(sb, ino, b, off)) {
            throw new FormatException(
                    structure,
                    pblk,
                    "i_checksum",
                    "0x" + Integer.toHexString(InodeChecksum.stored(b, off, sb.inodeSize())),
                    "0x" + Integer.toHexString(InodeChecksum.checksum(sb, ino, b, off)));
        }
        int inodeSize = sb.inodeSize();
        if (inodeSize > BASE_SIZE) {
            int extra = Le.u16(b, off + EXTRA_ISIZE);
            if (extra % 4 != 0 || extra > inodeSize - BASE_SIZE) {
                throw new FormatException(
                        structure, pblk, "i_extra_isize", extra, "a multiple of 4 up to " + (inodeSize - BASE_SIZE));
            }
        }
        if (size(b, off) < 0) {
            throw new FormatException(structure, pblk, "i_size", size(b, off), "a length below 2^63");
        }
    }
}
