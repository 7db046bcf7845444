// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;

/** An orphan store that costs next to nothing: an array of links, no orphan file. A list's own locks are its locks. */
final class FlatStore implements OrphanStore {
    private final int[] links;
    private int head;

    FlatStore(int inodes) {
        links = new int[inodes + 1];
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public int inodesCount() {
        return links.length - 1;
    }

    @Override
    public int chainHead() {
        return head;
    }

    @Override
    public void chainHead(Handle handle, int ino) {
        head = ino;
    }

    @Override
    public int link(int ino) {
        return links[ino];
    }

    @Override
    public void link(Handle handle, int ino, int next) {
        links[ino] = next;
    }

    @Override
    public void pin(int ino) {}

    @Override
    public void unpin(int ino) {}

    @Override
    public int fileBlocks() {
        return 0;
    }

    @Override
    public int slotsPerBlock() {
        return 0;
    }

    @Override
    public int slot(int block, int index) {
        throw new UnsupportedOperationException("there is no orphan file");
    }

    @Override
    public void slot(Handle handle, int block, int index, int ino) {
        throw new UnsupportedOperationException("there is no orphan file");
    }
}
