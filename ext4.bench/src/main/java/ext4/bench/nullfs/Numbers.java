// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import java.util.concurrent.atomic.AtomicInteger;

/** Inode numbers in ranges, so that directories share a counter only now and then. */
final class Numbers {
    /** Numbers in a range. */
    static final int RANGE = 4096;
    /** Above the root's number and those below it. */
    private static final int FIRST = 16;

    private final AtomicInteger next = new AtomicInteger(FIRST);

    /** The first number of a range that nobody has. */
    int range() {
        return next.getAndAdd(RANGE);
    }
}
