// SPDX-License-Identifier: Apache-2.0
package ext4.format.extent;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.superblock.Superblock;
import java.util.Arrays;

/**
 * One node of an extent tree, from byte {@code off}. Depth 0 is a leaf, whose entries are extents; above are index
 * entries. Entries are numbered from 0; the caller keeps {@code i} within {@link #entries} and the node checked
 * ({@link ExtentCheck}). {@code lblk} is an unsigned 32-bit logical block.
 */
public final class ExtentNode {
    public static final int MAGIC = 0xF30A;
    /** Deepest root. */
    public static final int MAX_DEPTH = 5;
    /** Most blocks of a written extent. */
    public static final int MAX_LENGTH = 32768;
    /** Most blocks of an unwritten extent. */
    public static final int MAX_UNWRITTEN_LENGTH = 32767;
    /** Entries that fit in i_block. */
    public static final int ROOT_MAX = 4;

    static final int HEADER_BYTES = 12;
    static final int ENTRY_BYTES = 12;
    static final int TAIL_BYTES = 4;

    private static final int EH_MAGIC = 0;
    private static final int EH_ENTRIES = 2;
    private static final int EH_MAX = 4;
    private static final int EH_DEPTH = 6;
    private static final int EH_GENERATION = 8;
    private static final int LBLK = 0;
    private static final int EE_LEN = 4;
    private static final int EE_START_HI = 6;
    private static final int EE_START_LO = 8;
    private static final int EI_LEAF_LO = 4;
    private static final int EI_LEAF_HI = 8;

    private ExtentNode() {}

    // ---- header

    public static int magic(byte[] b, int off) {
        return Le.u16(b, off + EH_MAGIC);
    }

    /** Entries in use. */
    public static int entries(byte[] b, int off) {
        return Le.u16(b, off + EH_ENTRIES);
    }

    public static void setEntries(byte[] b, int off, int entries) {
        Le.put16(b, off + EH_ENTRIES, entries);
    }

    /** Entries there is room for. */
    public static int max(byte[] b, int off) {
        return Le.u16(b, off + EH_MAX);
    }

    /** Levels below this node; 0 in a leaf. */
    public static int depth(byte[] b, int off) {
        return Le.u16(b, off + EH_DEPTH);
    }

    public static void setDepth(byte[] b, int off, int depth) {
        Le.put16(b, off + EH_DEPTH, depth);
    }

    public static boolean isLeaf(byte[] b, int off) {
        return depth(b, off) == 0;
    }

    public static boolean isFull(byte[] b, int off) {
        return entries(b, off) >= max(b, off);
    }

    /** Entries that fit in a block. */
    public static int blockMax(int blockSize) {
        return (blockSize - HEADER_BYTES) / ENTRY_BYTES;
    }

    /** Makes an empty root of depth 0 of the 60 bytes at {@code off}. */
    public static void initRoot(byte[] b, int off) {
        init(b, off, HEADER_BYTES + ROOT_MAX * ENTRY_BYTES, ROOT_MAX, 0);
    }

    /** Makes an empty node of a whole block. */
    public static void initBlock(byte[] b, int off, int blockSize, int depth) {
        init(b, off, blockSize, blockMax(blockSize), depth);
    }

    private static void init(byte[] b, int off, int bytes, int max, int depth) {
        Arrays.fill(b, off, off + bytes, (byte) 0);
        Le.put16(b, off + EH_MAGIC, MAGIC);
        Le.put16(b, off + EH_MAX, max);
        Le.put16(b, off + EH_DEPTH, depth);
        Le.put32(b, off + EH_GENERATION, 0);
    }

    // ---- entries of both kinds

    /** First logical block of entry {@code i}. */
    public static int lblk(byte[] b, int off, int i) {
        return Le.i32(b, at(off, i) + LBLK);
    }

    public static void setLblk(byte[] b, int off, int i, int lblk) {
        Le.put32(b, at(off, i) + LBLK, lblk);
    }

    /**
     * The last entry that begins at or before {@code lblk}, -1 if all begin behind it: in a leaf the only one that can
     * contain it, above the one to follow (below -1 lies nothing, or what precedes the whole tree).
     */
    public static int search(byte[] b, int off, int lblk) {
        int low = 0;
        int high = entries(b, off) - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (Integer.compareUnsigned(lblk(b, off, middle), lblk) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Removes entries from {@code i} on, {@code count} of them; the rest moves up. */
    public static void remove(byte[] b, int off, int i, int count) {
        int entries = entries(b, off);
        System.arraycopy(b, at(off, i + count), b, at(off, i), (entries - i - count) * ENTRY_BYTES);
        Arrays.fill(b, at(off, entries - count), at(off, entries), (byte) 0);
        setEntries(b, off, entries - count);
    }

    /** Moves the entries from {@code i} on to the end of another node, which has room for them. */
    public static void moveTail(byte[] from, int fromOff, int i, byte[] to, int toOff) {
        int count = entries(from, fromOff) - i;
        int there = entries(to, toOff);
        System.arraycopy(from, at(fromOff, i), to, at(toOff, there), count * ENTRY_BYTES);
        setEntries(to, toOff, there + count);
        Arrays.fill(from, at(fromOff, i), at(fromOff, i + count), (byte) 0);
        setEntries(from, fromOff, i);
    }

    private static void open(byte[] b, int off, int i) {
        int entries = entries(b, off);
        if (entries >= max(b, off)) {
            throw new IllegalStateException("extent node is full: " + entries);
        }
        System.arraycopy(b, at(off, i), b, at(off, i + 1), (entries - i) * ENTRY_BYTES);
        setEntries(b, off, entries + 1);
    }

    private static int at(int off, int i) {
        return off + HEADER_BYTES + i * ENTRY_BYTES;
    }

    // ---- leaf entries

    /** Blocks of extent {@code i}, 1 to 32768, written or not. */
    public static int length(byte[] b, int off, int i) {
        int raw = Le.u16(b, at(off, i) + EE_LEN);
        return raw > MAX_LENGTH ? raw - MAX_LENGTH : raw;
    }

    /** Whether extent {@code i} is allocated but reads as zeros. */
    public static boolean isUnwritten(byte[] b, int off, int i) {
        return Le.u16(b, at(off, i) + EE_LEN) > MAX_LENGTH;
    }

    /** First physical block of extent {@code i}. */
    public static long start(byte[] b, int off, int i) {
        int at = at(off, i);
        return Le.u32(b, at + EE_START_LO) | (long) Le.u16(b, at + EE_START_HI) << 32;
    }

    /** The logical block behind extent {@code i}; up to 2^32. */
    public static long end(byte[] b, int off, int i) {
        return Integer.toUnsignedLong(lblk(b, off, i)) + length(b, off, i);
    }

    /** Overwrites extent {@code i}. */
    public static void setExtent(byte[] b, int off, int i, int lblk, int length, boolean unwritten, long start) {
        if (length < 1 || length > (unwritten ? MAX_UNWRITTEN_LENGTH : MAX_LENGTH)) {
            throw new IllegalArgumentException("extent of " + length + " blocks");
        }
        int at = at(off, i);
        Le.put32(b, at + LBLK, lblk);
        Le.put16(b, at + EE_LEN, unwritten ? length + MAX_LENGTH : length);
        Le.put16(b, at + EE_START_HI, (int) (start >>> 32));
        Le.put32(b, at + EE_START_LO, start);
    }

    /** Inserts an extent before entry {@code i}; the node must not be full. */
    public static void insertExtent(byte[] b, int off, int i, int lblk, int length, boolean unwritten, long start) {
        open(b, off, i);
        setExtent(b, off, i, lblk, length, unwritten, start);
    }

    /** Whether extents {@code i} and {@code i + 1} continue each other and fit in one. */
    public static boolean canMerge(byte[] b, int off, int i) {
        if (i < 0 || i + 1 >= entries(b, off)) {
            return false;
        }
        return continues(
                b,
                off,
                i,
                lblk(b, off, i + 1),
                length(b, off, i + 1),
                isUnwritten(b, off, i + 1),
                start(b, off, i + 1));
    }

    /** Whether an extent of these values could be appended to extent {@code i}. */
    public static boolean continues(byte[] b, int off, int i, int lblk, int length, boolean unwritten, long start) {
        int own = length(b, off, i);
        return isUnwritten(b, off, i) == unwritten
                && end(b, off, i) == Integer.toUnsignedLong(lblk)
                && start(b, off, i) + own == start
                && own + length <= (unwritten ? MAX_UNWRITTEN_LENGTH : MAX_LENGTH);
    }

    /** Whether an extent of these values could be put before extent {@code i}, if there is one, as one with it. */
    public static boolean precedes(byte[] b, int off, int i, int lblk, int length, boolean unwritten, long start) {
        if (i >= entries(b, off)) {
            return false;
        }
        int own = length(b, off, i);
        return isUnwritten(b, off, i) == unwritten
                && Integer.toUnsignedLong(lblk) + length == Integer.toUnsignedLong(lblk(b, off, i))
                && start + length == start(b, off, i)
                && own + length <= (unwritten ? MAX_UNWRITTEN_LENGTH : MAX_LENGTH);
    }

    /** Makes one of extents {@code i} and {@code i + 1}, which {@link #canMerge}. */
    public static void merge(byte[] b, int off, int i) {
        int length = length(b, off, i) + length(b, off, i + 1);
        setExtent(b, off, i, lblk(b, off, i), length, isUnwritten(b, off, i), start(b, off, i));
        remove(b, off, i + 1, 1);
    }

    // ---- index entries

    /** Block of the node below index entry {@code i}. */
    public static long child(byte[] b, int off, int i) {
        int at = at(off, i);
        return Le.u32(b, at + EI_LEAF_LO) | (long) Le.u16(b, at + EI_LEAF_HI) << 32;
    }

    /** Overwrites index entry {@code i}. */
    public static void setIndex(byte[] b, int off, int i, int lblk, long child) {
        int at = at(off, i);
        Le.put32(b, at + LBLK, lblk);
        Le.put32(b, at + EI_LEAF_LO, child);
        Le.put32(b, at + EI_LEAF_HI, child >>> 32 & 0xFFFF);
    }

    /** Inserts an index entry before entry {@code i}; the node must not be full. */
    public static void insertIndex(byte[] b, int off, int i, int lblk, long child) {
        open(b, off, i);
        setIndex(b, off, i, lblk, child);
    }

    // ---- checksum of block nodes

    /** What the checksum of the node in the block at {@code off} must be. Only for a node whose eh_max was checked. */
    public static int checksum(int inodeSeed, byte[] b, int off) {
        return Crc32c.raw(inodeSeed, b, off, tail(b, off) - off);
    }

    /** The checksum in the block. */
    public static int storedChecksum(byte[] b, int off) {
        return Le.i32(b, tail(b, off));
    }

    /** Stores the checksum, if the filesystem has them. Never for a root. */
    public static void seal(Superblock sb, int inodeSeed, byte[] b, int off) {
        if (sb.metadataCsum()) {
            Le.put32(b, tail(b, off), checksum(inodeSeed, b, off));
        }
    }

    /** Whether the checksum holds; true on a filesystem without. Only for a node whose eh_max was checked. */
    public static boolean verify(Superblock sb, int inodeSeed, byte[] b, int off) {
        return !sb.metadataCsum() || storedChecksum(b, off) == checksum(inodeSeed, b, off);
    }

    private static int tail(byte[] b, int off) {
        return at(off, max(b, off));
    }
}
