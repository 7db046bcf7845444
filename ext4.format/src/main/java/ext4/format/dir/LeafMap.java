// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;
import ext4.format.hash.NameHash;
import java.util.Arrays;

/**
 * The used entries of one area of entries, hashed and sorted: what a leaf split and a directory scan start from.
 *
 * <p>Order: {@link DirCookie#order} of the hashes, then name bytes: the order of cookies. Reusable scratch memory for
 * one thread: {@link #scan} forgets what was there before and keeps the arrays. Offsets stay true as long as the area
 * isn't changed.
 */
public final class LeafMap {
    private static final int INDEX_BITS = 13;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private long[] keys = new long[64];
    private long[] hashes = new long[64];
    private int[] offsets = new int[64];
    private int size;

    /**
     * Hashes and sorts the used entries of {@code [from, end)} ({@code end - from} at most 64 KiB). In the first
     * block of a linear directory start from {@link DirBlock#afterDots}: "." and ".." are not left out here.
     */
    public void scan(byte[] b, int from, int end, NameHash nameHash, long block) throws FormatException {
        size = 0;
        for (int at = DirBlock.firstUsed(b, from, end, block);
                at < end;
                at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, block)) {
            add(at, nameHash.hash(b, DirEntry.nameOffset(at), DirEntry.nameLen(b, at)));
        }
        Arrays.sort(keys, 0, size);
        sortEquals(b);
    }

    private void add(int at, long hash) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        keys[size] = DirCookie.order(NameHash.major(hash), NameHash.minor(hash)) << INDEX_BITS | size;
        hashes[size] = hash;
        offsets[size] = at;
        size++;
    }

    private void sortEquals(byte[] b) {
        for (int i = 1; i < size; i++) {
            long key = keys[i];
            int j = i;
            while (j > 0 && order(j - 1) == key >>> INDEX_BITS && compare(b, keys[j - 1], key) > 0) {
                keys[j] = keys[j - 1];
                j--;
            }
            keys[j] = key;
        }
    }

    private int compare(byte[] b, long left, long right) {
        return DirEntry.compareNames(b, offsets[(int) left & INDEX_MASK], b, offsets[(int) right & INDEX_MASK]);
    }

    /** How many used entries there are. */
    public int size() {
        return size;
    }

    /** The packed result of {@link NameHash#hash} of the i-th entry in order. */
    public long nameHash(int i) {
        return hashes[(int) keys[i] & INDEX_MASK];
    }

    /** The major hash of the i-th entry. */
    public int hash(int i) {
        return NameHash.major(nameHash(i));
    }

    /** {@link DirCookie#order} of the i-th entry: equals are ranked by name. */
    public long order(int i) {
        return keys[i] >>> INDEX_BITS;
    }

    /** The byte offset of the i-th entry. */
    public int offset(int i) {
        return offsets[(int) keys[i] & INDEX_MASK];
    }
}
