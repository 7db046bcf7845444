// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The orphans while no strategy is at work: where each stands, kept until a successor takes them over. Adding is not
 * possible. Removing is, from the place where the orphan stands: a mount that ends meanwhile frees what is still pinned,
 * and leaves a clean image.
 *
 * <p>Lock order: as that of a strategy's list, taken with inode locks and a handle held; inside only record locks are
 * taken.
 */
public final class DetachedOrphans implements OrphanList {
    /** A slot; or for a member of the chain its own record and its predecessor's, or instead the superblock. */
    private static final int CREDITS_PER_CHANGE = 2;

    private final OrphanStore store;
    /** By inode, the chain's members in the chain's order. Guarded by this. */
    private final Map<Integer, OrphanPlace> places = new LinkedHashMap<>();
    /** The chain's member before each, none for the first. Guarded by this. */
    private final Map<Integer, Integer> previous = new HashMap<>();
    /** The chain's member after each, none for the last. Guarded by this. */
    private final Map<Integer, Integer> next = new HashMap<>();

    /** Keeps these, the chain's members in the chain's order. */
    public DetachedOrphans(OrphanStore store, List<OrphanPlace> present) {
        this.store = store;
        Integer last = null;
        for (OrphanPlace place : present) {
            places.put(place.ino(), place);
            if (place.where() == OrphanPlace.Where.CHAIN) {
                connect(last, place.ino());
                last = place.ino();
            }
        }
    }

    /** Makes them neighbours; null stands for the chain's end. */
    private void connect(Integer before, Integer after) {
        if (before != null) {
            put(next, before, after);
        }
        if (after != null) {
            put(previous, after, before);
        }
    }

    private static void put(Map<Integer, Integer> neighbours, Integer of, Integer neighbour) {
        if (neighbour == null) {
            neighbours.remove(of);
        } else {
            neighbours.put(of, neighbour);
        }
    }

    @Override
    public int credits(int changes) {
        return CREDITS_PER_CHANGE * changes;
    }

    @Override
    public void add(Handle handle, int ino) {
        throw ErrnoException.of(Errno.EIO);
    }

    @Override
    public synchronized void remove(Handle handle, int ino) {
        OrphanPlace place = places.remove(ino);
        if (place == null || !store.persistent()) {
            return;
        }
        switch (place.where()) {
            case NOWHERE -> {} // nothing is written of it
            case SLOT -> store.slot(handle, place.block(), place.slot(), 0);
            case CHAIN -> unchain(handle, ino);
        }
    }

    private void unchain(Handle handle, int ino) {
        Integer before = previous.remove(ino);
        Integer after = next.remove(ino);
        connect(before, after);
        int link = after == null ? 0 : after;
        if (before == null) {
            store.chainHead(handle, link);
        } else {
            link(handle, before, link);
        }
        link(handle, ino, 0);
    }

    /** No pins are kept while there is no strategy: here it may wait for the device. */
    private void link(Handle handle, int ino, int link) {
        store.pin(ino);
        try {
            store.link(handle, ino, link);
        } finally {
            store.unpin(ino);
        }
    }

    @Override
    public void closing(Handle handle) {
        // nothing is put off
    }

    @Override
    public boolean pending() {
        return false;
    }

    @Override
    public synchronized List<OrphanPlace> present() {
        return List.copyOf(places.values());
    }

    @Override
    public synchronized long size() {
        return places.size();
    }

    @Override
    public long diskChanges() {
        return 0;
    }

    @Override
    public void detach() {
        // holds nothing
    }
}
