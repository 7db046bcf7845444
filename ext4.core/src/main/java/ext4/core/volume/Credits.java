// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

/**
 * Sums of credits that several verbs use; a credit is one block added to a transaction. Sums of one class stand there.
 */
public final class Credits {
    /** An inode's record: its block of the inode table. */
    public static final int INODE = 1;
    /** Allocating a run, or freeing one, in one group: block bitmap and descriptor block. */
    public static final int GROUP = 2;
    /** Blocks freed in one step, of one extent, lie in at most this many groups, see {@link #groupsSpanned}. */
    private static final int MAX_EXTENT = 32768;

    private Credits() {}

    /**
     * Mapping one run: on each level below the root the node and the new one that it is split into (with its bitmap and
     * descriptor), and if the tree grows a level one more new node: {@code depth * 2 + 1} nodes of which {@code depth + 1}
     * are allocated.
     *
     * @param depth levels below the root now
     */
    public static int mapping(int depth) {
        return 2 * depth + 1 + GROUP * (depth + 1);
    }

    /** Groups that the blocks of one extent lie in at most: one more than it has whole groups. */
    public static int groupsSpanned(int blocksPerGroup) {
        return (MAX_EXTENT + blocksPerGroup - 2) / blocksPerGroup + 1;
    }

    /**
     * Unmapping one extent: on each level the node, which may become empty and be freed (bitmap and descriptor), and the
     * groups the extent lies in.
     */
    public static int unmapping(int depth, int blocksPerGroup) {
        return depth * (1 + GROUP) + GROUP * groupsSpanned(blocksPerGroup);
    }
}
