// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The orphan file's slots and the chain as they stand on disk at the end of the last closing, and what must be written
 * to bring them to the next. The chain's order is kept here: no link is read from an inode after attach.
 *
 * <p>Used at attach, in closing and behind the barrier only, never by two threads at once: no lock of its own.
 */
final class DiskImage {
    private final OrphanStore store;
    private final int slotsPerBlock;
    private final int slotCount;
    private final BitSet usedSlots;
    private final List<Orphan> relinked = new ArrayList<>();
    private Orphan first;
    private boolean headChanged;
    private long changes;

    DiskImage(OrphanStore store) {
        this.store = store;
        slotsPerBlock = store.slotsPerBlock();
        slotCount = store.fileBlocks() * slotsPerBlock;
        usedSlots = new BitSet(slotCount);
    }

    /** Takes over the place of an orphan at attach; the chain's members come in the chain's order. */
    Orphan adopt(OrphanPlace place, Orphan lastInChain) {
        Orphan orphan = new Orphan(place.ino(), place.where());
        switch (place.where()) {
            case CHAIN -> {
                orphan.newer = lastInChain;
                if (lastInChain == null) {
                    first = orphan;
                } else {
                    lastInChain.older = orphan;
                }
            }
            case SLOT -> {
                orphan.bit = place.block() * slotsPerBlock + place.slot();
                if (place.block() < 0 || place.slot() < 0 || place.slot() >= slotsPerBlock || orphan.bit >= slotCount) {
                    throw new IllegalArgumentException("no such slot of the orphan file: " + place);
                }
                if (usedSlots.get(orphan.bit)) {
                    throw new IllegalArgumentException("slot of the orphan file is taken twice: " + place);
                }
                usedSlots.set(orphan.bit);
            }
            case NOWHERE -> {}
        }
        return orphan;
    }

    /** Takes an orphan that is no longer wanted from its place. */
    void remove(Handle handle, Orphan orphan) {
        switch (orphan.where) {
            case SLOT -> {
                writeSlot(handle, orphan.bit, 0);
                usedSlots.clear(orphan.bit);
                orphan.bit = -1;
            }
            case CHAIN -> unchain(orphan);
            case NOWHERE -> {}
        }
        orphan.where = OrphanPlace.Where.NOWHERE;
    }

    private void unchain(Orphan orphan) {
        if (orphan.newer == null) {
            first = orphan.older;
            headChanged = true;
        } else {
            orphan.newer.older = orphan.older;
            relink(orphan.newer);
        }
        if (orphan.older != null) {
            orphan.older.newer = orphan.newer;
        }
        orphan.newer = null;
        orphan.older = null;
    }

    /** Gives a wanted orphan a place: the first free slot, or the head of the chain. */
    void add(Handle handle, Orphan orphan) {
        int bit = usedSlots.nextClearBit(0);
        if (bit < slotCount) {
            usedSlots.set(bit);
            orphan.bit = bit;
            orphan.where = OrphanPlace.Where.SLOT;
            writeSlot(handle, bit, orphan.ino);
            return;
        }
        orphan.where = OrphanPlace.Where.CHAIN;
        orphan.older = first;
        if (first != null) {
            first.newer = orphan;
        }
        first = orphan;
        headChanged = true;
        relink(orphan);
    }

    /** The record of a chain member may have been freed and made anew since its link was written. */
    void relink(Orphan orphan) {
        if (!orphan.relink) {
            orphan.relink = true;
            relinked.add(orphan);
        }
    }

    /** Writes links and head; a member that left the chain after it was marked is left alone, its record is another's. */
    void writeChain(Handle handle) {
        for (Orphan orphan : relinked) {
            orphan.relink = false;
            if (orphan.where == OrphanPlace.Where.CHAIN) {
                store.link(handle, orphan.ino, orphan.older == null ? 0 : orphan.older.ino);
                changes++;
            }
        }
        relinked.clear();
        if (headChanged) {
            store.chainHead(handle, first == null ? 0 : first.ino);
            headChanged = false;
            changes++;
        }
    }

    private void writeSlot(Handle handle, int bit, int ino) {
        store.slot(handle, bit / slotsPerBlock, bit % slotsPerBlock, ino);
        changes++;
    }

    /** The chain's members, newest first; without those that left it after an abort, when nothing is written. */
    List<OrphanPlace> chain() {
        List<OrphanPlace> places = new ArrayList<>();
        for (Orphan orphan = first; orphan != null; orphan = orphan.older) {
            if (orphan.wanted) {
                places.add(OrphanPlace.chain(orphan.ino));
            }
        }
        return places;
    }

    OrphanPlace slotOf(Orphan orphan) {
        return OrphanPlace.slot(orphan.ino, orphan.bit / slotsPerBlock, orphan.bit % slotsPerBlock);
    }

    /** Slots, links and heads written so far. */
    long changes() {
        return changes;
    }
}
