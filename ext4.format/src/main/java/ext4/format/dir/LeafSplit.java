// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;
import ext4.format.hash.NameHash;
import java.util.Arrays;

/**
 * Splits a full leaf in two, and makes a linear directory of one block an indexed one. Arrays are exactly one block.
 */
public final class LeafSplit {
    private LeafSplit() {}

    /**
     * Moves the upper half of a leaf's entries, by the bytes they take, to a new leaf in hash order; both are packed, those
     * that stay in the order they had. So it is the same leaves that the kernel makes. If a tail is present in {@code leaf} both get one; seal both.
     *
     * @param leaf the full leaf
     * @param fresh overwritten wholly
     * @return the new leaf's lowest hash for {@link DxNode#insert}, with bit 0 set if names of that hash stay in
     *     the old leaf too. An entry to add belongs to the new leaf if its hash is not below the result with bit 0
     *     cleared (unsigned)
     * @throws FormatException if the leaf is damaged or has fewer than two entries (then a split can't help)
     */
    public static int split(byte[] leaf, byte[] fresh, NameHash nameHash, long block) throws FormatException {
        boolean tail = DirTail.isPresent(leaf);
        int end = DirTail.entriesEnd(leaf, tail);
        LeafMap map = new LeafMap();
        map.scan(leaf, 0, end, nameHash, block);
        if (map.size() < 2) {
            throw new FormatException("directory leaf", block, "used entries", map.size(), "at least 2");
        }
        int first = firstToMove(leaf, map);
        byte[] old = leaf.clone();
        int[] upper = offsets(map, first, map.size());
        pack(old, upper, fresh, end);
        int[] lower = offsets(map, 0, first);
        Arrays.sort(lower);
        pack(old, lower, leaf, end);
        if (tail) {
            DirTail.init(leaf);
            DirTail.init(fresh);
        }
        int hash = map.hash(first);
        return hash == map.hash(first - 1) ? hash | 1 : hash;
    }

    /**
     * The first entry of the upper half: at least one entry stays and one goes. Counted are the records as they lie there,
     * with the room behind them; if they are few, half of them go.
     */
    private static int firstToMove(byte[] leaf, LeafMap map) {
        int moved = 0;
        for (int i = map.size() - 1; i >= 0; i--) {
            int size = DirEntry.recLen(leaf, map.offset(i));
            if (moved + size / 2 > leaf.length / 2) {
                return Math.clamp(i + 1, 1, map.size() - 1);
            }
            moved += size;
        }
        return map.size() / 2;
    }

    private static int[] offsets(LeafMap map, int first, int last) {
        int[] offsets = new int[last - first];
        for (int i = first; i < last; i++) {
            offsets[i - first] = map.offset(i);
        }
        return offsets;
    }

    private static void pack(byte[] from, int[] offsets, byte[] to, int end) {
        Arrays.fill(to, (byte) 0);
        int at = 0;
        for (int i = 0; i < offsets.length; i++) {
            int size = DirEntry.size(DirEntry.nameLen(from, offsets[i]));
            int recLen = i == offsets.length - 1 ? end - at : size;
            copy(from, offsets[i], to, at, recLen);
            at += recLen;
        }
    }

    private static void copy(byte[] from, int off, byte[] to, int at, int recLen) {
        DirEntry.write(
                to,
                at,
                recLen,
                DirEntry.inode(from, off),
                DirEntry.fileType(from, off),
                from,
                DirEntry.nameOffset(off),
                DirEntry.nameLen(from, off));
    }

    /**
     * Makes the only block of a linear directory an index root, and moves its entries, but "." and "..", to a leaf. The
     * inode gets the flag INDEX; the full leaf is then split as usual. With a tail in {@code block0} the leaf gets one.
     *
     * @param block0 the first block; the root afterwards
     * @param leaf overwritten wholly
     * @param hashVersion the version on disk, 0 to 2 (s_def_hash_version)
     * @param leafLblk the logical block of the leaf
     */
    public static void toIndexed(byte[] block0, byte[] leaf, int hashVersion, boolean metadataCsum, int leafLblk)
            throws FormatException {
        int end = DirTail.entriesEnd(block0, metadataCsum);
        int from = DirBlock.afterDots(block0, end, 0);
        int self = DirEntry.inode(block0, 0);
        int dotDot = DirEntry.recLen(block0, 0);
        int parent = DirEntry.inode(block0, dotDot);
        int fileType = DirEntry.fileType(block0, dotDot);
        int leafEnd = DirTail.entriesEnd(leaf.length, metadataCsum);

        for (int off = DirBlock.firstUsed(block0, from, end, 0);
                off < end;
                off = DirBlock.firstUsed(block0, off + DirEntry.recLen(block0, off), end, 0)) {
            // checks them all
        }
        Arrays.fill(leaf, (byte) 0);
        DirBlock.initEmpty(leaf, 0, leafEnd);
        System.arraycopy(block0, from, leaf, 0, end - from);
        int last = 0;
        while (last + DirEntry.recLen(leaf, last) < end - from) {
            last += DirEntry.recLen(leaf, last);
        }
        DirEntry.setRecLen(leaf, last, leafEnd - last);
        if (metadataCsum) {
            DirTail.init(leaf);
        }
        DxRoot.init(block0, self, parent, fileType, hashVersion, metadataCsum, leafLblk);
    }
}
