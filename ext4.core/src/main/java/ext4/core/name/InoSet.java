// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

/** A few distinct inode numbers in ascending order, unsigned. */
final class InoSet {
    private final int[] numbers = new int[4];
    private int size;

    void add(int ino) {
        int at = 0;
        while (at < size && Integer.compareUnsigned(numbers[at], ino) < 0) {
            at++;
        }
        if (at < size && numbers[at] == ino) {
            return;
        }
        System.arraycopy(numbers, at, numbers, at + 1, size - at);
        numbers[at] = ino;
        size++;
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int get(int i) {
        return numbers[i];
    }
}
