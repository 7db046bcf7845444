// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;

/** The barrier while it is up. */
final class PlainBarrier implements Barrier {
    private final PlainJournal journal;
    private PlainHandle handle;
    private boolean closed;

    PlainBarrier(PlainJournal journal) {
        this.journal = journal;
    }

    @Override
    public Handle handle() {
        checkHeld();
        if (handle == null) {
            handle = journal.barrierHandle();
        }
        return handle;
    }

    @Override
    public void publish(OrphanList list) {
        checkHeld();
        journal.publish(list);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (handle != null) {
            handle.close();
        }
        journal.lowerBarrier();
    }

    private void checkHeld() {
        if (closed) {
            throw new IllegalStateException("the barrier is closed");
        }
    }
}
