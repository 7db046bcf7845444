// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import java.util.List;

/** A list whose adds and removes are counted, and every few timed. */
final class ObservedList implements OrphanList {
    private final OrphanList list;
    private final ListTimes times;

    ObservedList(OrphanList list, ListTimes times) {
        if (list == null) {
            throw new IllegalArgumentException("the strategy made no list");
        }
        this.list = list;
        this.times = times;
        list.waits(times::waited);
    }

    @Override
    public void add(Handle handle, int ino) {
        int slot = times.began();
        if (!times.isTimed(slot)) {
            list.add(handle, ino);
            return;
        }
        long begin = System.nanoTime();
        list.add(handle, ino);
        times.added(slot, System.nanoTime() - begin);
    }

    @Override
    public void remove(Handle handle, int ino) {
        int slot = times.began();
        if (!times.isTimed(slot)) {
            list.remove(handle, ino);
            return;
        }
        long begin = System.nanoTime();
        list.remove(handle, ino);
        times.removed(slot, System.nanoTime() - begin);
    }

    @Override
    public int credits(int changes) {
        return list.credits(changes);
    }

    @Override
    public void closing(Handle handle) {
        list.closing(handle);
    }

    @Override
    public boolean pending() {
        return list.pending();
    }

    @Override
    public List<OrphanPlace> present() {
        return list.present();
    }

    @Override
    public long size() {
        return list.size();
    }

    @Override
    public long diskChanges() {
        return list.diskChanges();
    }

    @Override
    public void detach() {
        list.detach();
    }
}
