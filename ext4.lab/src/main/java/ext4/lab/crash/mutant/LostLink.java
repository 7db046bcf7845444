// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;

/** A link to another member of the chain is not written. */
final class LostLink extends ForwardingStore {
    LostLink(OrphanStore store) {
        super(store);
    }

    @Override
    public void link(Handle handle, int ino, int next) {
        boolean another = next != 0 && Integer.compareUnsigned(next, inodesCount()) < 0;
        store.link(handle, ino, another ? 0 : next);
    }
}
