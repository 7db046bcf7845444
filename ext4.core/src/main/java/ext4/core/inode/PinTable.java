// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * From inode number to pin count, saturating, with the mark {@link #UNLINKED} on top. All methods are called with the table's
 * monitor held.
 */
final class PinTable extends InoTable {
    private static final int UNLINKED = 1 << 31;

    /** The generation that a pinned inode must have, by those who look at it first; null if there is none to look at. */
    InoTable promised;

    int count(int ino) {
        return get(ino) & ~UNLINKED;
    }

    boolean isUnlinked(int ino) {
        return (get(ino) & UNLINKED) != 0;
    }

    void add(int ino, long pins) {
        int slot = slotFor(ino);
        int value = values[slot];
        int count = (int) Math.min((value & ~UNLINKED) + pins, Integer.MAX_VALUE);
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
}
