// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import java.util.Arrays;

/**
 * The header of an attribute block: u32 magic, u32 refcount, u32 blocks (1), u32 hash, u32 checksum, 12 zero bytes. The
 * array is exactly one block; the entries are in {@link XattrArea#ofBlock}.
 */
public final class XattrBlock {
    /** Size in bytes. */
    public static final int HEADER_SIZE = 32;

    /** The most inodes that may share a block. */
    public static final int MAX_REFCOUNT = 1024;

    private static final int MAGIC = 0;
    private static final int REFCOUNT = 4;
    private static final int BLOCKS = 8;
    private static final int HASH = 12;
    private static final int CHECKSUM = 16;

    private XattrBlock() {}

    /** How many inodes share the block. */
    public static int refcount(byte[] b) {
        return Le.i32(b, REFCOUNT);
    }

    public static void setRefcount(byte[] b, int refcount) {
        Le.put32(b, REFCOUNT, refcount);
    }

    /** A hash over all entries, by which blocks with the same content are found; 0 says not to share. */
    public static int hash(byte[] b) {
        return Le.i32(b, HASH);
    }

    /** Makes the array an empty attribute block of one inode. */
    public static void init(byte[] b) {
        Arrays.fill(b, (byte) 0);
        Le.put32(b, MAGIC, XattrArea.MAGIC);
        Le.put32(b, REFCOUNT, 1);
        Le.put32(b, BLOCKS, 1);
    }

    /** Checks header and list. Check {@link #verify} first. */
    public static void validate(byte[] b, long pblk) throws FormatException {
        if (Le.i32(b, MAGIC) != XattrArea.MAGIC) {
            throw new FormatException("xattr block", pblk, "h_magic", Le.u32(b, MAGIC), "0xEA020000");
        }
        if (Le.i32(b, BLOCKS) != 1) {
            throw new FormatException("xattr block", pblk, "h_blocks", Le.u32(b, BLOCKS), "1");
        }
        int refcount = refcount(b);
        if (refcount < 1 || refcount > MAX_REFCOUNT) {
            throw new FormatException("xattr block", pblk, "h_refcount", Le.u32(b, REFCOUNT), "1 to " + MAX_REFCOUNT);
        }
        XattrList.validate(XattrArea.ofBlock(b.length), b, pblk);
    }

    /** Whether no attribute is left: the block can be freed. */
    public static boolean isEmpty(byte[] b) {
        return XattrEntry.isEnd(b, HEADER_SIZE);
    }

    /** Makes the block's hash from those of its entries, after any change. */
    public static void rehash(byte[] b) {
        Le.put32(b, HASH, computeHash(b));
    }

    static int computeHash(byte[] b) {
        XattrArea area = XattrArea.ofBlock(b.length);
        int hash = 0;
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            if (XattrEntry.hash(b, at) == 0) {
                return 0;
            }
            hash = XattrHash.foldWord(hash, XattrEntry.hash(b, at));
        }
        return hash;
    }

    /** Stores the checksum; only with the feature metadata_csum. */
    public static void seal(byte[] b, long pblk, int fsSeed) {
        Le.put32(b, CHECKSUM, checksum(b, pblk, fsSeed));
    }

    /** Whether the checksum is right; ask only with the feature metadata_csum. */
    public static boolean verify(byte[] b, long pblk, int fsSeed) {
        return Le.i32(b, CHECKSUM) == checksum(b, pblk, fsSeed);
    }

    private static int checksum(byte[] b, long pblk, int fsSeed) {
        int crc = Crc32c.raw(Crc32c.rawLe64(fsSeed, pblk), b, 0, CHECKSUM);
        return Crc32c.raw(Crc32c.rawZeros(crc, 4), b, CHECKSUM + 4, b.length - CHECKSUM - 4);
    }
}
