// SPDX-License-Identifier: Apache-2.0
package ext4.format.extent;

import ext4.format.FormatException;
import ext4.format.superblock.Superblock;

/**
 * Judges a node before anybody uses it: magic, room, depth, order, ranges, checksum. A tree whose nodes all pass, with
 * the depth and range their parent promised, is finite and has no overlap.
 */
public final class ExtentCheck {
    /** One behind the last logical block. */
    public static final long END = 1L << 32;

    private ExtentCheck() {}

    /**
     * Checks the root in an inode's i_block.
     *
     * @param off where i_block begins
     * @param pblk block of the inode record, for the evidence
     */
    public static void root(Superblock sb, int ino, byte[] b, int off, long pblk) throws FormatException {
        String structure = "extent root of inode " + Integer.toUnsignedString(ino);
        header(structure, b, off, pblk, ExtentNode.ROOT_MAX);
        int depth = ExtentNode.depth(b, off);
        require(depth <= ExtentNode.MAX_DEPTH, structure, pblk, "eh_depth", depth, "at most " + ExtentNode.MAX_DEPTH);
        require(
                depth == 0 || ExtentNode.entries(b, off) > 0,
                structure,
                pblk,
                "eh_entries",
                0,
                "at least 1 above leaves");
        entries(sb, structure, b, off, pblk, 0, END);
    }

    /**
     * Checks a node in a block of its own.
     *
     * @param inodeSeed see {@link ext4.format.inode.InodeChecksum#seed}
     * @param pblk the node's block, for the evidence
     * @param depth one less than the parent's
     * @param first logical block of the parent's index entry (0 to 2^32 - 1)
     * @param end logical block of the parent's next entry, or the parent's own end ({@link #END} at last)
     */
    public static void block(
            Superblock sb, int ino, int inodeSeed, byte[] b, int off, long pblk, int depth, long first, long end)
            throws FormatException {
        String structure = "extent node of inode " + Integer.toUnsignedString(ino);
        header(structure, b, off, pblk, ExtentNode.blockMax(sb.blockSize()));
        if (!ExtentNode.verify(sb, inodeSeed, b, off)) {
            throw new FormatException(
                    structure,
                    pblk,
                    "eb_checksum",
                    "0x" + Integer.toHexString(ExtentNode.storedChecksum(b, off)),
                    "0x" + Integer.toHexString(ExtentNode.checksum(inodeSeed, b, off)));
        }
        require(ExtentNode.depth(b, off) == depth, structure, pblk, "eh_depth", ExtentNode.depth(b, off), "" + depth);
        require(ExtentNode.entries(b, off) > 0, structure, pblk, "eh_entries", 0, "at least 1");
        entries(sb, structure, b, off, pblk, first, end);
    }

    private static void header(String structure, byte[] b, int off, long pblk, int room) throws FormatException {
        int magic = ExtentNode.magic(b, off);
        require(magic == ExtentNode.MAGIC, structure, pblk, "eh_magic", magic, "" + ExtentNode.MAGIC);
        int max = ExtentNode.max(b, off);
        require(max > 0 && max <= room, structure, pblk, "eh_max", max, "1 to " + room);
        int entries = ExtentNode.entries(b, off);
        require(entries <= max, structure, pblk, "eh_entries", entries, "at most eh_max " + max);
    }

    private static void entries(Superblock sb, String structure, byte[] b, int off, long pblk, long first, long end)
            throws FormatException {
        boolean leaf = ExtentNode.isLeaf(b, off);
        int entries = ExtentNode.entries(b, off);
        long free = first;
        for (int i = 0; i < entries; i++) {
            long lblk = Integer.toUnsignedLong(ExtentNode.lblk(b, off, i));
            long length = leaf ? ExtentNode.length(b, off, i) : 1;
            require(length > 0, structure, pblk, "ee_len of entry " + i, length, "at least 1");
            if (lblk < free || lblk + length > end) {
                String field = (leaf ? "ee_block" : "ei_block") + " of entry " + i;
                String found = lblk + " (" + length + " blocks)";
                throw new FormatException(structure, pblk, field, found, "within " + free + " to " + (end - 1));
            }
            free = lblk + length;
            long start = leaf ? ExtentNode.start(b, off, i) : ExtentNode.child(b, off, i);
            if (start <= sb.block() || start > sb.blocksCount() - length) {
                String field = (leaf ? "ee_start" : "ei_leaf") + " of entry " + i;
                String expected = "from " + (sb.block() + 1) + " to " + (sb.blocksCount() - length);
                throw new FormatException(structure, pblk, field, start, expected);
            }
        }
    }

    private static void require(boolean holds, String structure, long pblk, String field, long found, String expected)
            throws FormatException {
        if (!holds) {
            throw new FormatException(structure, pblk, field, found, expected);
        }
    }
}
