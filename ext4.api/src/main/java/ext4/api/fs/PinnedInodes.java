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
        /** An inode with {@code count} pins. */
        void pinned(int ino, int generation, long count, boolean unlinked);
    }

    private int size;
    private int[] inos;
    private int[] generations;
    private long[] counts;
    private boolean[] unlinked;

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
