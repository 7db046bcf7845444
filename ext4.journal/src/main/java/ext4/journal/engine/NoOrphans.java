// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import java.util.List;

/** The orphan list before the host sets one: handles that make no orphan changes may run, others fail. */
final class NoOrphans implements OrphanList {
    static final NoOrphans INSTANCE = new NoOrphans();

    private NoOrphans() {}

    @Override
    public int credits(int changes) {
        if (changes != 0) {
            throw new IllegalStateException("orphan changes before the journal has an orphan list");
        }
        return 0;
    }

    @Override
    public void add(Handle handle, int ino) {
        throw new IllegalStateException("the journal has no orphan list yet");
    }

    @Override
    public void remove(Handle handle, int ino) {
        throw new IllegalStateException("the journal has no orphan list yet");
    }

    @Override
    public void closing(Handle handle) {}

    @Override
    public boolean pending() {
        return false;
    }

    @Override
    public List<OrphanPlace> present() {
        return List.of();
    }

    @Override
    public long size() {
        return 0;
    }

    @Override
    public long diskChanges() {
        return 0;
    }

    @Override
    public void detach() {}
}
