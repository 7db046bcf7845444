// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;

/**
 * Errors that are not in the superblock yet: the first and the last of them, and how many there were. Its monitor is innermost.
 */
final class ErrorRecord {
    /** One of them. */
    record Entry(FsError error, long seconds) {
        void put(byte[] b, int off) {
            SuperblockFields.recordError(
                    b, off, seconds, error.ino(), Math.max(0, error.block()), error.verb(), error.line(), error.code());
        }
    }

    /** What is on its way to a superblock. */
    record Taken(Entry first, Entry last, long count) {
        /** Puts it there: s_state, s_error_count, and the fields of the first and of the last error. */
        void put(byte[] b, int off) {
            if (count == 0) {
                return;
            }
            SuperblockFields.setState(b, off, SuperblockFields.state(b, off) | Superblock.STATE_ERROR);
            long before = SuperblockFields.errorCount(b, off);
            first.put(b, off);
            last.put(b, off);
            SuperblockFields.setErrorCount(b, off, before + count);
        }
    }

    // guarded by this
    private Entry first;
    // guarded by this
    private Entry last;
    // guarded by this
    private long count;

    /** Adds one that was met at {@code seconds} since 1970. */
    synchronized void add(FsError error, long seconds) {
        last = new Entry(error, seconds);
        first = first == null ? last : first;
        count++;
    }

    synchronized boolean pending() {
        return count > 0;
    }

    /** Puts what there is into a superblock that is about to be written. */
    void put(byte[] b, int off) {
        take().put(b, off);
    }

    /** What there is; nothing is left. */
    synchronized Taken take() {
        Taken taken = new Taken(first, last, count);
        first = null;
        last = null;
        count = 0;
        return taken;
    }

    /** What was taken could not be written. */
    synchronized void giveBack(Taken taken) {
        if (taken.count() > 0) {
            first = taken.first();
            last = last == null ? taken.last() : last;
            count += taken.count();
        }
    }
}
