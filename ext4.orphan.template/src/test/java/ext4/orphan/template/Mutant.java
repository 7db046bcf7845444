// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.List;

/** The template's list with one mistake: between it and its store, or between it and its caller. */
class Mutant implements OrphanList {
    private final OrphanList right;

    Mutant(OrphanList right) {
        this.right = right;
    }

    @Override
    public int credits(int changes) {
        return right.credits(changes);
    }

    @Override
    public void add(Handle handle, int ino) {
        right.add(handle, ino);
    }

    @Override
    public void remove(Handle handle, int ino) {
        right.remove(handle, ino);
    }

    @Override
    public void closing(Handle handle) {
        right.closing(handle);
    }

    @Override
    public boolean pending() {
        return right.pending();
    }

    @Override
    public List<OrphanPlace> present() {
        return right.present();
    }

    @Override
    public long size() {
        return right.size();
    }

    @Override
    public long diskChanges() {
        return right.diskChanges();
    }

    @Override
    public void detach() {
        right.detach();
    }

    /** A store that passes everything on. */
    static class Store implements OrphanStore {
        final OrphanStore below;

        Store(OrphanStore below) {
            this.below = below;
        }

        @Override
        public boolean persistent() {
            return below.persistent();
        }

        @Override
        public int inodesCount() {
            return below.inodesCount();
        }

        @Override
        public int chainHead() {
            return below.chainHead();
        }

        @Override
        public void chainHead(Handle handle, int ino) {
            below.chainHead(handle, ino);
        }

        @Override
        public int link(int ino) {
            return below.link(ino);
        }

        @Override
        public void link(Handle handle, int ino, int next) {
            below.link(handle, ino, next);
        }

        @Override
        public void pin(int ino) {
            below.pin(ino);
        }

        @Override
        public void unpin(int ino) {
            below.unpin(ino);
        }

        @Override
        public int fileBlocks() {
            return below.fileBlocks();
        }

        @Override
        public int slotsPerBlock() {
            return below.slotsPerBlock();
        }

        @Override
        public int slot(int block, int index) {
            return below.slot(block, index);
        }

        @Override
        public void slot(Handle handle, int block, int index, int ino) {
            below.slot(handle, block, index, ino);
        }
    }
}
