// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import java.util.function.Consumer;

/**
 * Inode number to {@link Orphan}: open addressing with linear probing, without boxing. Not thread-safe; each stripe
 * guards its own.
 */
final class OrphanTable {
    private static final int MINIMUM = 16;

    private Orphan[] slots = new Orphan[MINIMUM];
    private int size;

    Orphan get(int ino) {
        int mask = slots.length - 1;
        for (int i = home(ino, mask); ; i = (i + 1) & mask) {
            Orphan found = slots[i];
            if (found == null || found.ino == ino) {
                return found;
            }
        }
    }

    /** Adds an orphan whose number is not in the table. */
    void add(Orphan orphan) {
        if (++size * 2 > slots.length) {
            resize(slots.length * 2);
        }
        place(orphan);
    }

    private void place(Orphan orphan) {
        int mask = slots.length - 1;
        int i = home(orphan.ino, mask);
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        slots[i] = orphan;
    }

    /** Takes an orphan out; what stands behind it moves up so that no probe meets a gap before its goal. */
    void remove(Orphan orphan) {
        int mask = slots.length - 1;
        int gap = home(orphan.ino, mask);
        while (slots[gap] != orphan) {
            if (slots[gap] == null) {
                throw new IllegalStateException("orphan " + Integer.toUnsignedString(orphan.ino) + " is not listed");
            }
            gap = (gap + 1) & mask;
        }
        for (int i = (gap + 1) & mask; slots[i] != null; i = (i + 1) & mask) {
            int home = home(slots[i].ino, mask);
            if (((i - home) & mask) >= ((i - gap) & mask)) {
                slots[gap] = slots[i];
                gap = i;
            }
        }
        slots[gap] = null;
        size--;
        if (slots.length > MINIMUM && size * 8 < slots.length) {
            resize(slots.length / 2);
        }
    }

    int size() {
        return size;
    }

    void forEach(Consumer<Orphan> action) {
        for (Orphan orphan : slots) {
            if (orphan != null) {
                action.accept(orphan);
            }
        }
    }

    private void resize(int length) {
        Orphan[] old = slots;
        slots = new Orphan[length];
        for (Orphan orphan : old) {
            if (orphan != null) {
                place(orphan);
            }
        }
    }

    private static int home(int ino, int mask) {
        int h = ino * 0x9E3779B9;
        return (h ^ (h >>> 15)) & mask;
    }
}
