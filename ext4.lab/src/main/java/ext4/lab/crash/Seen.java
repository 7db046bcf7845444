// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import java.util.Arrays;

/** A set of hashes. Any thread. */
final class Seen {
    private long[] table = new long[1 << 12]; // guarded by this; 0 is a free place
    private int size; // guarded by this

    /** False if it was there. */
    synchronized boolean add(long hash) {
        if (size * 2 >= table.length) {
            long[] old = table;
            table = new long[old.length * 2];
            Arrays.stream(old).filter(each -> each != 0).forEach(this::place);
        }
        boolean fresh = place(hash == 0 ? 1 : hash);
        size += fresh ? 1 : 0;
        return fresh;
    }

    private boolean place(long hash) {
        int at = (int) (hash >>> 20) & table.length - 1;
        while (table[at] != 0) {
            if (table[at] == hash) {
                return false;
            }
            at = at + 1 & table.length - 1;
        }
        table[at] = hash;
        return true;
    }
}
