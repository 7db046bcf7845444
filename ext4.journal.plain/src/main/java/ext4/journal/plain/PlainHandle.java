// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.Handle;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** A handle. {@link #transaction} is null when it is closed. Its fields are its thread's. */
final class PlainHandle implements Handle {
    /** Whose it is: the caller's of start, the barrier's, or the one of closing, which nobody counts. */
    enum Kind {
        USER,
        BARRIER,
        CLOSING
    }

    private final Handles handles;
    final Kind kind;
    final Thread owner = Thread.currentThread();
    Transaction transaction;
    int credits;

    PlainHandle(Handles handles, Kind kind) {
        this.handles = handles;
        this.kind = kind;
    }

    @Override
    public long tid() {
        return open().tid;
    }

    @Override
    public OrphanList orphans() {
        open();
        return handles.orphans();
    }

    @Override
    public byte[] write(MetaBlock block) {
        return handles.write(this, block);
    }

    @Override
    public byte[] writeJoined(MetaBlock block) {
        return handles.writeJoined(this, block);
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        handles.forget(this, pblk);
    }

    @Override
    public void reserveForClosing(int count) {
        handles.reserveForClosing(this, count);
    }

    @Override
    public int credits() {
        return credits;
    }

    @Override
    public boolean extend(int count) {
        return handles.extend(this, count);
    }

    @Override
    public void restart(int count, int orphanChanges) {
        open();
        if (kind != Kind.USER) {
            throw new IllegalStateException("the handle of the barrier or of closing cannot restart");
        }
        close();
        handles.join(this, count, orphanChanges);
    }

    @Override
    public void close() {
        handles.end(this);
    }

    Transaction open() {
        if (transaction == null) {
            throw new IllegalStateException("the handle is closed");
        }
        return transaction;
    }

    void spend(int count) {
        if (credits < count) {
            throw new IllegalStateException("the handle has " + credits + " credits left, needs " + count);
        }
        credits -= count;
    }
}
