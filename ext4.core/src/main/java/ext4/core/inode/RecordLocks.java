// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * The record locks: whoever changes a raw inode record and its checksum holds the one of its inode number; inodes whose
 * records share a block don't meet. They are the innermost of all locks, below any lock of an orphan strategy; nothing is
 * locked or waited for under one.
 */
final class RecordLocks {
    private static final int STRIPES = 256;

    /** A monitor as wide as two cache lines, so that those side by side don't meet there. */
    private static final class RecordLock {
        @SuppressWarnings("unused")
        private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, pad10, pad11, pad12, pad13, pad14;
    }

    private final RecordLock[] locks = new RecordLock[STRIPES];

    RecordLocks() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new RecordLock();
        }
    }

    /** The monitor to synchronize on. */
    Object of(int ino) {
        return locks[ino * 0x9E3779B9 >>> 24];
    }
}
