// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * The record locks: whoever changes a raw inode record and its checksum holds the one of its inode-table block. They are
 * the innermost of all locks, below any lock of an orphan strategy; nothing is locked or waited for under one.
 */
final class RecordLocks {
    private static final int STRIPES = 256;

    private final Object[] locks = new Object[STRIPES];

    RecordLocks() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new Object();
        }
    }

    /** The monitor to synchronize on. */
    Object of(long tableBlock) {
        return locks[(int) (tableBlock * 0x9E3779B97F4A7C15L >>> 56)];
    }
}
