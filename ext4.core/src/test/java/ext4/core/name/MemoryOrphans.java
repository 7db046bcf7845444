// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The orphan list of a filesystem without a journal. */
final class MemoryOrphans implements OrphanList {
    final Set<Integer> inos = ConcurrentHashMap.newKeySet();

    @Override
    public int credits(int changes) {
        return 0;
    }

    @Override
    public void add(Handle handle, int ino) {
        inos.add(ino);
    }

    @Override
    public void remove(Handle handle, int ino) {
        inos.remove(ino);
    }

    @Override
    public void closing(Handle handle) {
        // nothing is on disk
    }

    @Override
    public boolean pending() {
        return false;
    }

    @Override
    public List<OrphanPlace> present() {
        return inos.stream().map(OrphanPlace::nowhere).toList();
    }

    @Override
    public long size() {
        return inos.size();
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
