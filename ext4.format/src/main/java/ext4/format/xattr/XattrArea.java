// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.Le;
import java.util.Arrays;

/**
 * Where attributes stand in an array, byte positions.
 *
 * @param first the first entry
 * @param base what value offsets count from
 * @param end one past the last byte for values
 * @param inBlock whether it is an attribute block: sorted, with hashes
 */
public record XattrArea(int first, int base, int end, boolean inBlock) {
    /** Starts the list in the inode, and the attribute block. */
    static final int MAGIC = 0xEA020000;

    private static final int MAGIC_SIZE = 4;
    private static final int TERMINATOR_SIZE = 4;
    private static final int OLD_INODE_SIZE = 128;

    /** The area of an attribute block, an array of one block. */
    public static XattrArea ofBlock(int blockSize) {
        return new XattrArea(XattrBlock.HEADER_SIZE, 0, blockSize, true);
    }

    /**
     * The area behind the fields of an inode record.
     *
     * @param record where the record begins in the array
     * @param inodeSize s_inode_size, bytes
     * @param extraIsize i_extra_isize, checked by the caller; 0 in a record of 128 bytes
     */
    public static XattrArea ofInode(int record, int inodeSize, int extraIsize) {
        int first = record + OLD_INODE_SIZE + extraIsize + MAGIC_SIZE;
        return new XattrArea(first, first, record + inodeSize, false);
    }

    /** Whether the inode record is large enough for any attribute list. True for blocks. */
    public boolean exists() {
        return end - first >= TERMINATOR_SIZE;
    }

    /** Whether the inode record holds an attribute list: it has room for one and the magic. True for blocks. */
    public boolean isPresent(byte[] b) {
        return inBlock || exists() && Le.i32(b, first - MAGIC_SIZE) == MAGIC;
    }

    /** Starts an empty list: in the inode the magic, in a block see {@link XattrBlock#init}; zeroes the rest. */
    public void init(byte[] b) {
        Arrays.fill(b, first, end, (byte) 0);
        if (!inBlock) {
            Le.put32(b, first - MAGIC_SIZE, MAGIC);
        }
    }

    /** Bytes for entries, their terminator and values. */
    public int size() {
        return Math.max(0, end - first);
    }
}
