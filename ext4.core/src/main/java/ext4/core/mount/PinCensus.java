// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.PinnedInodes;
import ext4.core.file.Engine;
import java.util.Arrays;

/**
 * Counts who is pinned, with generations. The table of pins does not know them, so they are read from the inode tables, in
 * the order of the tables; a pin that was itself taken over and not used since keeps the generation that it came with. No
 * verb and no eviction runs.
 */
final class PinCensus {
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final Engine engine;
    /** Number in the upper half, index into the arrays below in the lower, so that sorting is by number. */
    private long[] order = new long[64];

    private int[] counts = new int[64];
    private boolean[] unlinked = new boolean[64];
    private int size;

    PinCensus(Engine engine) {
        this.engine = engine;
    }

    /** All that are pinned, or unlinked and not freed, by ascending number. */
    PinnedInodes take() {
        int[] inos = count();
        boolean[] promised = new boolean[size];
        int[] generations = new int[size];
        engine.pins().forEachPromise((ino, generation) -> {
            int at = indexOf(inos, ino);
            if (at >= 0) {
                promised[at] = true;
                generations[at] = generation;
            }
        });
        engine.records().generations(inos, promised, generations);
        PinnedInodes pinned = new PinnedInodes(size);
        for (int i = 0; i < size; i++) {
            int at = (int) order[i];
            pinned.add(inos[i], generations[i], counts[at], unlinked[at]);
        }
        return pinned;
    }

    private int[] count() {
        engine.pins().forEach(this::add);
        Arrays.sort(order, 0, size);
        int[] inos = new int[size];
        for (int i = 0; i < size; i++) {
            inos[i] = ino(order[i]);
        }
        return inos;
    }

    private void add(int ino, int count, boolean isUnlinked) {
        if (size == order.length) {
            order = Arrays.copyOf(order, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
            unlinked = Arrays.copyOf(unlinked, size * 2);
        }
        // Flipped, so that unsigned numbers are in order as signed ones.
        order[size] = (long) (ino ^ Integer.MIN_VALUE) << 32 | size & LOW_HALF;
        counts[size] = count;
        unlinked[size++] = isUnlinked;
    }

    private static int ino(long entry) {
        return (int) (entry >> 32) ^ Integer.MIN_VALUE;
    }

    private static int indexOf(int[] inos, int ino) {
        int low = 0;
        int high = inos.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int compared = Integer.compareUnsigned(inos[middle], ino);
            if (compared == 0) {
                return middle;
            }
            if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
