// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.BitSet;

/** One block of the orphan file: which of its slots are used. Tasks meet here only if they share a block. */
final class FileBlock {
    private final OrphanStore store;
    private final int index;
    private final BitSet used = new BitSet(); // guarded by this

    FileBlock(OrphanStore store, int index) {
        this.store = store;
        this.index = index;
    }

    /** At attach. */
    synchronized void found(Member member, int slot) {
        used.set(slot);
        place(member, slot);
    }

    /** Writes the member into a free slot; false if there is none. */
    synchronized boolean put(Handle handle, Member member) {
        int slot = used.nextClearBit(0);
        if (slot >= store.slotsPerBlock()) {
            return false;
        }
        store.slot(handle, index, slot, member.ino);
        used.set(slot);
        place(member, slot);
        return true;
    }

    /** Frees the member's slot. */
    synchronized void clear(Handle handle, Member member, boolean write) {
        if (write) {
            store.slot(handle, index, member.slot, 0);
        }
        used.clear(member.slot);
    }

    private void place(Member member, int slot) {
        member.where = OrphanPlace.Where.SLOT;
        member.block = index;
        member.slot = slot;
    }
}
