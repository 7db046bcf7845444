// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.format.group.Bitmap;
import java.util.Arrays;

/**
 * Runs of blocks that one transaction freed in one group: they stay busy until it is durable. A list, oldest first.
 * Guarded by the group's lock.
 */
final class PendingFrees {
    final long tid;
    PendingFrees next;
    private int[] runs = new int[8];
    private int used;

    PendingFrees(long tid) {
        this.tid = tid;
    }

    /** Adds a run; one that continues the latest is joined with it, from either side. */
    void add(int start, int count) {
        if (used > 0) {
            int last = used - 2;
            if (runs[last] + runs[last + 1] == start) {
                runs[last + 1] += count;
                return;
            }
            if (start + count == runs[last]) {
                runs[last] = start;
                runs[last + 1] += count;
                return;
            }
        }
        if (used == runs.length) {
            runs = Arrays.copyOf(runs, used * 2);
        }
        runs[used++] = start;
        runs[used++] = count;
    }

    /** Clears the runs in the busy bitmap; how many blocks that were. */
    int release(byte[] busy) {
        int blocks = 0;
        for (int i = 0; i < used; i += 2) {
            Bitmap.clear(busy, runs[i], runs[i + 1]);
            blocks += runs[i + 1];
        }
        return blocks;
    }
}
