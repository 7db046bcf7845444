// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.Arrays;

/**
 * The pins of a filesystem that one core hands to the next: by inode number its generation, how often it is pinned, and
 * whether its last link is gone. A million of them take 17 MB. Not safe for use by several threads at once.
 */
public final class PinnedInodes {
    /** None. */
    public static final PinnedInodes NONE = new PinnedInodes(0);

    /** Sees one entry. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * An inode with {@code count} pins; 0 for one that has lost its last link and its last pin, and is not freed yet.
         *
         * @param unlinked whether its last link is known to be gone; who takes over looks for itself too
         */
        void pinned(int ino, int generation, long count, boolean unlinked);
    }

    private int size;
    private int[] inos;
    private int[] generations;
    private long[] counts;
    private boolean[] unlinked;
    private boolean clean;
    private long orphans;
    private long flushedBytes;

    /** @param expected how many there will be, about */
    public PinnedInodes(int expected) {
        inos = new int[expected];
        generations = new int[expected];
        counts = new long[expected];
        unlinked = new boolean[expected];
    }

    /** Adds an inode; a number comes once. */
    public void add(int ino, int generation, long count, boolean isUnlinked) {
        if (size == inos.length) {
            int room = Math.max(16, size + size / 2);
            inos = Arrays.copyOf(inos, room);
            generations = Arrays.copyOf(generations, room);
            counts = Arrays.copyOf(counts, room);
            unlinked = Arrays.copyOf(unlinked, room);
        }
        inos[size] = ino;
        generations[size] = generation;
        counts[size] = count;
        unlinked[size++] = isUnlinked;
    }

    /**
     * What else a core says that froze.
     *
     * @param wasClean whether the filesystem was clean when it was mounted, so that its unmount may say so again; told for
     *     one without a journal, whose superblock does not say it while it is mounted
     * @param carried orphans on the list
     * @param flushed bytes written meanwhile
     */
    public void frozen(boolean wasClean, long carried, long flushed) {
        clean = wasClean;
        orphans = carried;
        flushedBytes = flushed;
    }

    /** See {@link #frozen}; false unless it was called. */
    public boolean wasClean() {
        return clean;
    }

    /** See {@link #frozen}; 0 unless it was called. */
    public long orphans() {
        return orphans;
    }

    /** See {@link #frozen}; 0 unless it was called. */
    public long flushedBytes() {
        return flushedBytes;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** Shows all of them in the order in which they came. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.pinned(inos[i], generations[i], counts[i], unlinked[i]);
        }
    }
}
