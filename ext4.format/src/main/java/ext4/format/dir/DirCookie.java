// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

/**
 * The position of an entry in a directory: one number that a later implementation can resume from.
 *
 * <p>Layout, before {@link #FIRST} is added:
 * <pre>
 *   bit 62..32   hash      31 bits: major hash without its low bit, which is always 0
 *   bit 31..20   minor     12 bits: the top bits of the minor hash
 *   bit 19..0    rank      20 bits: how many entries with the same hash and minor bits come before
 * </pre>
 * Equals are ranked by the byte order of their names (bytes unsigned, a prefix first), over the whole directory and not
 * per block. All entries of one hash lie in neighbouring leaves of an index, so a reader that gathers a hash's
 * leaves (continued bit) can rank them. Cookies compare as plain non-negative numbers in the order of the scan.
 *
 * <p>Fixed values: {@link #START} before anything, {@link #DOT}, {@link #DOT_DOT}, then entries from {@link #FIRST},
 * and {@link #END} after all. The largest hash is 0xFFFFFFFC, so adding FIRST can't overflow or reach END.
 * A cookie names an entry; a scan resumed with it continues with the first entry whose cookie is greater. Only names
 * that share all 43 bits can be missed or seen twice when one of them is created or removed during a scan.
 *
 * <p>The cookie doesn't depend on where the entry lies, so it is valid for linear directories too, and stays valid
 * when a leaf splits or the directory is rebuilt. It depends on the hash version and seed.
 */
public final class DirCookie {
    /** Before the first entry; what a new scan begins with. */
    public static final long START = 0;

    /** The entry ".". */
    public static final long DOT = 1;

    /** The entry "..". */
    public static final long DOT_DOT = 2;

    /** The smallest cookie of any other entry. */
    public static final long FIRST = 3;

    /** After the last entry. Greater than the cookie of any entry. */
    public static final long END = Long.MAX_VALUE;

    /** The largest rank, 2^20 - 1. */
    public static final int MAX_RANK = (1 << 20) - 1;

    private static final int MINOR_SHIFT = 20;
    private static final int LAST_HASH = 0xFFFFFFFC;

    private DirCookie() {}

    /**
     * Packs a position.
     *
     * @param hash major hash; its low bit is ignored
     * @param minor minor hash; only its top 12 bits count
     * @param rank 0 to {@link #MAX_RANK}
     * @throws IllegalArgumentException if the rank doesn't fit (more than a million names of one hash: a reader must
     *     report the directory as corrupt rather than repeat a position)
     */
    public static long pack(int hash, int minor, int rank) {
        if (rank < 0 || rank > MAX_RANK) {
            throw new IllegalArgumentException("rank " + rank);
        }
        return FIRST + (order(hash, minor) << MINOR_SHIFT | rank);
    }

    /** Like {@link #pack} with the packed result of {@link ext4.format.hash.NameHash#hash}. */
    public static long pack(long nameHash, int rank) {
        return pack((int) (nameHash >>> 32), (int) nameHash, rank);
    }

    /**
     * The 43 bits that decide the order before the rank: entries whose values are equal are ranked by name.
     */
    public static long order(int hash, int minor) {
        int last = Integer.compareUnsigned(hash, LAST_HASH) > 0 ? LAST_HASH : hash;
        return (long) (last >>> 1) << 12 | minor >>> MINOR_SHIFT;
    }

    /** Whether the cookie stands for an entry other than "." and "..". */
    public static boolean isEntry(long cookie) {
        return cookie >= FIRST && cookie - FIRST >>> 32 <= LAST_HASH >>> 1;
    }

    /** The major hash, low bit clear. Defined when {@link #isEntry}. */
    public static int hash(long cookie) {
        return (int) (cookie - FIRST >>> 32) << 1;
    }

    /** The minor hash with all but its top 12 bits clear. Defined when {@link #isEntry}. */
    public static int minor(long cookie) {
        return (int) (cookie - FIRST) & -1 << MINOR_SHIFT;
    }

    /** The rank among equals. Defined when {@link #isEntry}. */
    public static int rank(long cookie) {
        return (int) (cookie - FIRST) & MAX_RANK;
    }
}
