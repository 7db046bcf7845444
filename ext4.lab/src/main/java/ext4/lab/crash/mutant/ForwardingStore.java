// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;

/** A store that does what another does. */
class ForwardingStore implements OrphanStore {
    final OrphanStore store;

    ForwardingStore(OrphanStore store) {
        this.store = store;
    }

    @Override
    public boolean persistent() {
        return store.persistent();
    }

    @Override
    public int inodesCount() {
        return store.inodesCount();
    }

    @Override
    public int chainHead() {
        return store.chainHead();
    }

    @Override
    public void chainHead(Handle handle, int ino) {
        store.chainHead(handle, ino);
    }

    @Override
    public int link(int ino) {
        return store.link(ino);
    }

    @Override
    public void link(Handle handle, int ino, int next) {
        store.link(handle, ino, next);
    }

    @Override
    public void pin(int ino) {
        store.pin(ino);
    }

    @Override
    public void unpin(int ino) {
        store.unpin(ino);
    }

    @Override
    public int fileBlocks() {
        return store.fileBlocks();
    }

    @Override
    public int slotsPerBlock() {
        return store.slotsPerBlock();
    }

    @Override
    public int slot(int block, int index) {
        return store.slot(block, index);
    }

    @Override
    public void slot(Handle handle, int block, int index, int ino) {
        store.slot(handle, block, index, ino);
    }
}
