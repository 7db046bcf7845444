// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Inode numbers seen. Room grows with how many there are, not with how large they are. */
final class InodeSet {
    private static final int SHIFT = 10;

    private final Map<Integer, BitSet> parts = new HashMap<>();

    /** Whether it was not there yet. */
    boolean add(int ino) {
        BitSet part = parts.computeIfAbsent(ino >>> SHIFT, _ -> new BitSet());
        int bit = ino & (1 << SHIFT) - 1;
        boolean fresh = !part.get(bit);
        part.set(bit);
        return fresh;
    }
}
