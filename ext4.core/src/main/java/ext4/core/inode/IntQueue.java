// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import java.util.Arrays;

/** An unbounded queue of ints, four bytes each. Not thread-safe. */
final class IntQueue {
    private int[] items = new int[64];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(int item) {
        if (size == items.length) {
            int[] larger = Arrays.copyOf(items, size * 2);
            System.arraycopy(items, 0, larger, size, head);
            items = larger;
        }
        items[head + size & items.length - 1] = item;
        size++;
    }

    int take() {
        int item = items[head];
        head = head + 1 & items.length - 1;
        size--;
        return item;
    }
}
