// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import ext4.api.journal.Handle;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** A handle with credits without end, for a list alone. */
final class FreeHandle implements Handle {
    private final OrphanList list;

    FreeHandle(OrphanList list) {
        this.list = list;
    }

    @Override
    public long tid() {
        return 1;
    }

    @Override
    public OrphanList orphans() {
        return list;
    }

    @Override
    public byte[] write(MetaBlock block) {
        throw new UnsupportedOperationException("a list writes through its store");
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        throw new UnsupportedOperationException("a list frees no blocks");
    }

    @Override
    public void reserveForClosing(int credits) {}

    @Override
    public int credits() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean extend(int credits) {
        return true;
    }

    @Override
    public void restart(int credits, int orphanChanges) {
        throw new UnsupportedOperationException("a list restarts no handle");
    }

    @Override
    public void close() {}
}
