// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.checksum.Crc32c;

/**
 * The slots of an index block. Root and interior nodes differ only in where the slots begin: pass {@link #ROOT} or
 * {@link #NODE} as {@code base}.
 *
 * <p>Slots are 8 bytes: u32 hash, u32 logical block. In slot 0 the hash's place holds u16 limit and u16 count, both of
 * them counting slot 0. With metadata_csum two words follow the last possible slot: reserved and checksum.
 *
 * <p>The array is exactly one block. Call {@link #validate} (root: {@link DxRoot#validate}) when a block enters the
 * cache; the other methods then can't leave the array. Changes need the lock of the directory and {@link #seal}
 * before the write.
 */
public final class DxNode {
    /** Where the slots of the root begin. */
    public static final int ROOT = 0x20;

    /** Where the slots of any other node begin. */
    public static final int NODE = 0x08;

    private static final int SLOT_SIZE = 8;
    private static final int TAIL_SIZE = 8;
    private static final int LIMIT = 0;
    private static final int COUNT = 2;
    private static final int BLOCK = 4;
    private static final int BLOCK_MASK = 0x0FFFFFFF;

    private DxNode() {}

    /** How many slots fit, slot 0 among them. */
    public static int maxSlots(int blockSize, int base, boolean metadataCsum) {
        return (blockSize - base - (metadataCsum ? TAIL_SIZE : 0)) / SLOT_SIZE;
    }

    public static int limit(byte[] b, int base) {
        return Le.u16(b, base + LIMIT);
    }

    /** Slots in use, slot 0 among them. */
    public static int count(byte[] b, int base) {
        return Le.u16(b, base + COUNT);
    }

    public static boolean isFull(byte[] b, int base) {
        return count(b, base) >= limit(b, base);
    }

    /** The lowest hash of slot i, bit 0 set if its leaf continues the one before; 0 for slot 0. */
    public static int hash(byte[] b, int base, int i) {
        return i == 0 ? 0 : Le.i32(b, base + SLOT_SIZE * i);
    }

    /** The logical block that slot i leads to. */
    public static int child(byte[] b, int base, int i) {
        return Le.i32(b, base + SLOT_SIZE * i + BLOCK) & BLOCK_MASK;
    }

    public static void setChild(byte[] b, int base, int i, int lblk) {
        Le.put32(b, base + SLOT_SIZE * i + BLOCK, lblk);
    }

    /** The slot to follow for a hash: the last whose hash is not above it. Bisection, at least slot 0. */
    public static int search(byte[] b, int base, int hash) {
        int low = 1;
        int high = count(b, base) - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (Integer.compareUnsigned(hash(b, base, middle), hash) > 0) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return low - 1;
    }

    /**
     * Whether names of this hash go on in the slot after i. If i is the last slot of the node, ask the same of the
     * node's own slot in its parent (the first slot of the next node has no hash of its own; its parent's slot holds
     * it).
     */
    public static boolean continues(byte[] b, int base, int i, int hash) {
        return i + 1 < count(b, base) && hash(b, base, i + 1) == (hash | 1);
    }

    /**
     * Adds a slot behind slot {@code after}.
     *
     * @param hash as {@link LeafSplit#split} or {@link #moveUpperHalf} returned it
     * @throws IllegalStateException if the node is full
     */
    public static void insert(byte[] b, int base, int after, int hash, int lblk) {
        int count = count(b, base);
        if (count >= limit(b, base) || after >= count) {
            throw new IllegalStateException("slot " + after + " of " + count + ", limit " + limit(b, base));
        }
        int at = base + SLOT_SIZE * (after + 1);
        System.arraycopy(b, at, b, at + SLOT_SIZE, SLOT_SIZE * (count - after - 1));
        Le.put32(b, at, hash);
        Le.put32(b, at + BLOCK, lblk);
        Le.put16(b, base + COUNT, count + 1);
    }

    /** Makes a zeroed block a node with one slot. */
    public static void init(byte[] b, boolean metadataCsum, int lblk) {
        DirEntry.writeFree(b, 0, b.length);
        initSlots(b, NODE, metadataCsum, lblk);
    }

    static void initSlots(byte[] b, int base, boolean metadataCsum, int lblk) {
        Le.put16(b, base + LIMIT, maxSlots(b.length, base, metadataCsum));
        Le.put16(b, base + COUNT, 1);
        setChild(b, base, 0, lblk);
    }

    /**
     * Moves the upper half of a full node's slots to a new node (a zeroed block, initialised here).
     *
     * @return the lowest hash of the new node, for its slot in the parent
     * @throws IllegalStateException if there are fewer than two slots
     */
    public static int moveUpperHalf(byte[] from, byte[] fresh, boolean metadataCsum) {
        int count = count(from, NODE);
        int keep = count / 2;
        if (keep < 1) {
            throw new IllegalStateException("count " + count);
        }
        int hash = hash(from, NODE, keep);
        init(fresh, metadataCsum, child(from, NODE, keep));
        copySlots(from, NODE, keep + 1, fresh, NODE, count);
        Le.put16(from, NODE + COUNT, keep);
        return hash;
    }

    /** Copies slots {@code [first, count)} behind slot 0 of another node and sets its count. */
    static void copySlots(byte[] from, int fromBase, int first, byte[] to, int toBase, int count) {
        System.arraycopy(
                from, fromBase + SLOT_SIZE * first, to, toBase + SLOT_SIZE, SLOT_SIZE * Math.max(0, count - first));
        Le.put16(to, toBase + COUNT, 1 + Math.max(0, count - first));
    }

    static void setCount(byte[] b, int base, int count) {
        Le.put16(b, base + COUNT, count);
    }

    /** Whether a block looks like a node below the root: one free record over the whole block. */
    public static boolean looksLikeNode(byte[] b) {
        return DirEntry.inode(b, 0) == 0 && DirEntry.recLen(b, 0) == b.length;
    }

    /**
     * Whether a block is a node below the root rather than a leaf: one free record over the whole block, behind it the
     * limit that a node of this size has and a count within it. An empty leaf without a tail holds no such limit.
     */
    public static boolean isNode(byte[] b, boolean metadataCsum) {
        return looksLikeNode(b) && slotsFit(b, NODE, metadataCsum);
    }

    static boolean slotsFit(byte[] b, int base, boolean metadataCsum) {
        int limit = limit(b, base);
        int count = count(b, base);
        return limit == maxSlots(b.length, base, metadataCsum) && count >= 1 && count <= limit;
    }

    /**
     * Checks limit and count only, in constant time: after it no accessor leaves the array. The order of the slots and
     * the range of their blocks are left to {@link #validate}, or to the caller at the slot it follows.
     */
    public static void checkSlots(byte[] b, int base, boolean metadataCsum, long lblk) throws FormatException {
        if (!slotsFit(b, base, metadataCsum)) {
            throw new FormatException(
                    "index node",
                    lblk,
                    "limit and count",
                    limit(b, base) + " and " + count(b, base),
                    maxSlots(b.length, base, metadataCsum) + " and 1 up to it");
        }
    }

    /**
     * Checks a node below the root.
     *
     * @param dirBlocks length of the directory, blocks
     * @param lblk where the node stands, for the evidence
     */
    public static void validate(byte[] b, boolean metadataCsum, int dirBlocks, long lblk) throws FormatException {
        if (!looksLikeNode(b)) {
            throw new FormatException("index node", lblk, "rec_len", DirEntry.recLen(b, 0), "one free record");
        }
        validateSlots(b, NODE, metadataCsum, dirBlocks, lblk);
    }

    static void validateSlots(byte[] b, int base, boolean metadataCsum, int dirBlocks, long lblk)
            throws FormatException {
        int max = maxSlots(b.length, base, metadataCsum);
        int count = count(b, base);
        if (limit(b, base) != max) {
            throw new FormatException("index node", lblk, "limit", limit(b, base), "" + max);
        }
        if (count < 1 || count > max) {
            throw new FormatException("index node", lblk, "count", count, "1 to " + max);
        }
        for (int i = 0; i < count; i++) {
            int child = child(b, base, i);
            if (child == 0 || child >= dirBlocks) {
                throw new FormatException("index node", lblk, "block of slot " + i, child, "1 to " + (dirBlocks - 1));
            }
            if (i > 1 && Integer.compareUnsigned(hash(b, base, i - 1), hash(b, base, i)) > 0) {
                throw new FormatException(
                        "index node",
                        lblk,
                        "hash of slot " + i,
                        hash(b, base, i) & 0xFFFFFFFFL,
                        "at least " + Integer.toUnsignedString(hash(b, base, i - 1)));
            }
        }
    }

    /** Stores the checksum; nothing if the limit leaves no room for one (no metadata_csum). */
    public static void seal(byte[] b, int base, int inodeSeed) {
        int tail = tail(b, base);
        if (tail > 0 && count(b, base) <= limit(b, base)) {
            Le.put32(b, tail + 4, checksum(b, base, tail, inodeSeed));
        }
    }

    /** Whether the stored checksum is right; true if the limit leaves no room for one. Safe before validation. */
    public static boolean verify(byte[] b, int base, int inodeSeed) {
        int tail = tail(b, base);
        if (tail < 0) {
            return true;
        }
        return count(b, base) <= limit(b, base) && Le.i32(b, tail + 4) == checksum(b, base, tail, inodeSeed);
    }

    private static int tail(byte[] b, int base) {
        int tail = base + SLOT_SIZE * limit(b, base);
        return tail + TAIL_SIZE <= b.length ? tail : -1;
    }

    /** Over everything up to the last used slot, the reserved word of the tail, and zeros for the checksum itself. */
    private static int checksum(byte[] b, int base, int tail, int inodeSeed) {
        int crc = Crc32c.raw(inodeSeed, b, 0, base + SLOT_SIZE * count(b, base));
        return Crc32c.rawZeros(Crc32c.raw(crc, b, tail, 4), 4);
    }
}
