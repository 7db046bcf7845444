// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.orphan;

import ext4.api.journal.Handle;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** A handle that only counts credits, as strictly as a journal does. */
public final class ModelHandle implements Handle {
    private final OrphanList list;
    private int credits;
    private int reserved;
    private boolean open = true;

    /** A handle for changes of {@code list} with that many credits. */
    public ModelHandle(OrphanList list, int credits) {
        this.list = list;
        this.credits = credits;
    }

    void spend() {
        if (!open) {
            throw new AssertionError("written under a closed handle");
        }
        if (--credits < 0) {
            throw new AssertionError("more blocks written than credits granted");
        }
    }

    /** Credits kept for closing. */
    public int reserved() {
        return reserved;
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
        throw new AssertionError("a list writes through its store");
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        throw new AssertionError("a list frees no blocks");
    }

    @Override
    public void reserveForClosing(int count) {
        if (count > credits) {
            throw new AssertionError("kept " + count + " credits of " + credits);
        }
        credits -= count;
        reserved += count;
    }

    @Override
    public int credits() {
        return credits;
    }

    @Override
    public boolean extend(int more) {
        credits += more;
        return true;
    }

    @Override
    public void restart(int more, int orphanChanges) {
        throw new AssertionError("a list does not restart its caller's handle");
    }

    @Override
    public void close() {
        open = false;
    }
}
