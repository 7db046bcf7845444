// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * Open-addressing table from inode number to pin count and a mark, without objects; number 0 is an empty slot. All
 * methods are called with the table's monitor held.
 */
final class PinTable {
    private static final int UNLINKED = 1 << 31;
    private static final int MIN_SLOTS = 16;

    private int[] keys = new int[MIN_SLOTS];
    /** Pin count, saturating, with {@link #UNLINKED} on top. */
    private int[] values = new int[MIN_SLOTS];

    private int size;

    int size() {
        return size;
    }

    int count(int ino) {
        return get(ino) & ~UNLINKED;
    }

    boolean isUnlinked(int ino) {
        return (get(ino) & UNLINKED) != 0;
    }

    void add(int ino, int pins) {
        int slot = slotFor(ino);
        int value = values[slot];
        int count = (int) Math.min((long) (value & ~UNLINKED) + pins, Integer.MAX_VALUE);
        values[slot] = value & UNLINKED | count;
    }

    boolean subtract(int ino, long pins) {
        int slot = find(ino);
        if (slot < 0) {
            return false;
        }
        int value = values[slot];
        int left = (int) Math.max((value & ~UNLINKED) - pins, 0);
        boolean hadPins = (value & ~UNLINKED) != 0;
        if ((value & UNLINKED) != 0) {
            values[slot] = UNLINKED | left;
            return left == 0 && hadPins;
        }
        if (left == 0) {
            delete(slot);
        } else {
            values[slot] = left;
        }
        return false;
    }

    boolean markUnlinked(int ino) {
        int slot = slotFor(ino);
        values[slot] |= UNLINKED;
        return values[slot] == UNLINKED;
    }

    void clearUnlinked(int ino) {
        int slot = find(ino);
        if (slot < 0) {
            return;
        }
        values[slot] &= ~UNLINKED;
        if (values[slot] == 0) {
            delete(slot);
        }
    }

    void forEach(Pins.Visitor visitor) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                visitor.pinned(keys[i], values[i] & ~UNLINKED, (values[i] & UNLINKED) != 0);
            }
        }
    }

    private int get(int ino) {
        int slot = find(ino);
        return slot < 0 ? 0 : values[slot];
    }

    private int find(int ino) {
        for (int slot = home(ino); keys[slot] != 0; slot = slot + 1 & keys.length - 1) {
            if (keys[slot] == ino) {
                return slot;
            }
        }
        return -1;
    }

    private int slotFor(int ino) {
        int found = find(ino);
        if (found >= 0) {
            return found;
        }
        if ((size + 1) * 3L > keys.length * 2L) {
            resize(keys.length * 2);
        }
        size++;
        return place(ino);
    }

    private int place(int ino) {
        int slot = home(ino);
        while (keys[slot] != 0) {
            slot = slot + 1 & keys.length - 1;
        }
        keys[slot] = ino;
        return slot;
    }

    /** Closes the gap: entries behind it move up unless they stand at or behind their home already. */
    private void delete(int slot) {
        int mask = keys.length - 1;
        int gap = slot;
        for (int at = slot + 1 & mask; keys[at] != 0; at = at + 1 & mask) {
            if ((at - home(keys[at]) & mask) >= (at - gap & mask)) {
                keys[gap] = keys[at];
                values[gap] = values[at];
                gap = at;
            }
        }
        keys[gap] = 0;
        values[gap] = 0;
        size--;
        if (keys.length > MIN_SLOTS && size * 6L < keys.length) {
            resize(keys.length / 2);
        }
    }

    private void resize(int slots) {
        int[] oldKeys = keys;
        int[] oldValues = values;
        keys = new int[slots];
        values = new int[slots];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                values[place(oldKeys[i])] = oldValues[i];
            }
        }
    }

    private int home(int ino) {
        return (ino * 0x85EBCA6B ^ ino * 0x85EBCA6B >>> 15) & keys.length - 1;
    }
}
