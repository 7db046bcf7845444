// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * Open-addressing table from inode number to an int, without objects; number 0 is an empty slot. All methods are called
 * with the monitor held that its owner names.
 */
class InoTable {
    private static final int MIN_SLOTS = 16;

    int[] keys = new int[MIN_SLOTS];
    int[] values = new int[MIN_SLOTS];
    private int size;

    final int size() {
        return size;
    }

    /** Where the number stands, -1 if it does not. */
    final int find(int ino) {
        for (int slot = home(ino); keys[slot] != 0; slot = slot + 1 & keys.length - 1) {
            if (keys[slot] == ino) {
                return slot;
            }
        }
        return -1;
    }

    /** Where the number stands, put in with the value 0 if it did not. */
    final int slotFor(int ino) {
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

    /** Sets the value of a number. */
    final void put(int ino, int value) {
        int slot = slotFor(ino); // may replace the arrays
        values[slot] = value;
    }

    /** Takes a number out; whether it was there. */
    final boolean remove(int ino) {
        int slot = find(ino);
        if (slot < 0) {
            return false;
        }
        delete(slot);
        return true;
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
    final void delete(int slot) {
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
        int[] newKeys = new int[slots]; // both before either is used: there may be no memory for the second
        int[] newValues = new int[slots];
        keys = newKeys;
        values = newValues;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                newValues[place(oldKeys[i])] = oldValues[i];
            }
        }
    }

    private int home(int ino) {
        return (ino * 0x85EBCA6B ^ ino * 0x85EBCA6B >>> 15) & keys.length - 1;
    }
}
