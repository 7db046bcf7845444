// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A share of the inode numbers, and its lock. All fields are guarded by this stripe's lock; inside it only
 * pins and the handle's own credits are touched.
 */
final class Stripe extends ReentrantLock {
    private static final long serialVersionUID = 1;

    final OrphanTable orphans = new OrphanTable();
    /** Orphans of the table that are on the list; the others only wait for the next closing to leave the disk. */
    int wanted;
    /** Credits that this transaction already holds for changes this stripe may still have to write. */
    int spareCredits;

    private Orphan firstTouched;

    // Keeps the fields of two stripes that lie side by side out of one cache line.
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

    void touchLocked(Orphan orphan) {
        if (orphan.touched) {
            return;
        }
        orphan.touched = true;
        orphan.previousTouched = null;
        orphan.nextTouched = firstTouched;
        if (firstTouched != null) {
            firstTouched.previousTouched = orphan;
        }
        firstTouched = orphan;
    }

    void untouchLocked(Orphan orphan) {
        if (!orphan.touched) {
            return;
        }
        if (orphan.previousTouched == null) {
            firstTouched = orphan.nextTouched;
        } else {
            orphan.previousTouched.nextTouched = orphan.nextTouched;
        }
        if (orphan.nextTouched != null) {
            orphan.nextTouched.previousTouched = orphan.previousTouched;
        }
        orphan.touched = false;
        orphan.previousTouched = null;
        orphan.nextTouched = null;
    }

    boolean touchedLocked() {
        return firstTouched != null;
    }

    /** Gives each touched orphan to {@code action} and forgets that it was touched. */
    void drainLocked(Consumer<Orphan> action) {
        for (Orphan orphan = firstTouched; orphan != null; ) {
            Orphan next = orphan.nextTouched;
            orphan.touched = false;
            orphan.previousTouched = null;
            orphan.nextTouched = null;
            action.accept(orphan);
            orphan = next;
        }
        firstTouched = null;
    }
}
