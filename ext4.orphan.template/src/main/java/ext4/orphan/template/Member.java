// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.orphan.OrphanPlace;

/** An orphan and where it stands. Its inode's lock, which the caller of add and remove holds, guards all but the links. */
final class Member {
    final int ino;
    OrphanPlace.Where where = OrphanPlace.Where.NOWHERE;
    int block = -1; // of the orphan file
    int slot = -1; // in that block
    boolean pinned;
    Member newer; // guarded by the chain's monitor
    Member older; // guarded by the chain's monitor

    Member(int ino) {
        this.ino = ino;
    }

    OrphanPlace place() {
        return switch (where) {
            case NOWHERE -> OrphanPlace.nowhere(ino);
            case CHAIN -> OrphanPlace.chain(ino);
            case SLOT -> OrphanPlace.slot(ino, block, slot);
        };
    }
}
