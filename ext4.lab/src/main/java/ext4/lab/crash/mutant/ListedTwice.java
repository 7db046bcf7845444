// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;

/** What is put into a slot is made the chain's head too, until the slot is freed. */
final class ListedTwice extends ForwardingStore {
    ListedTwice(OrphanStore store) {
        super(store);
    }

    @Override
    public void slot(Handle handle, int block, int index, int ino) {
        int before = store.slot(block, index);
        if (ino != 0 && store.chainHead() == 0) {
            store.chainHead(handle, ino);
        } else if (ino == 0 && store.chainHead() == before) {
            store.chainHead(handle, 0);
        }
        store.slot(handle, block, index, ino);
    }
}
