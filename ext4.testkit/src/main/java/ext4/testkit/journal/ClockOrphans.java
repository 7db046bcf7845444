// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** An orphan list that counts; at each closing it writes the transaction's number into one block, the clock. */
class ClockOrphans implements OrphanList {
    private final ModelBlock clock;
    private final AtomicLong pending = new AtomicLong();
    final AtomicLong closings = new AtomicLong();
    private volatile boolean detached;

    ClockOrphans(ModelBlock clock) {
        this.clock = clock;
    }

    @Override
    public int credits(int changes) {
        return changes;
    }

    @Override
    public void add(Handle handle, int ino) {
        check();
        handle.reserveForClosing(1);
        pending.incrementAndGet();
    }

    @Override
    public void remove(Handle handle, int ino) {
        check();
        pending.incrementAndGet();
    }

    @Override
    public void closing(Handle handle) {
        check();
        pending.set(0);
        closings.incrementAndGet();
        Content.fill(handle.write(clock), clock.pblk(), handle.tid());
    }

    private void check() {
        if (detached) {
            throw new IllegalStateException("a call into a list that was detached");
        }
    }

    @Override
    public boolean pending() {
        return pending.get() != 0;
    }

    @Override
    public List<OrphanPlace> present() {
        return List.of();
    }

    @Override
    public long size() {
        return pending.get();
    }

    @Override
    public long diskChanges() {
        return 0;
    }

    @Override
    public void detach() {
        detached = true;
    }
}
