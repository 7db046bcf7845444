// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import ext4.api.orphan.OrphanPlace;

/**
 * What is known of one inode number: where it stands on disk, and whether it is wanted on the list. Guarded by its
 * stripe's monitor, except the chain's fields, which belong to {@link DiskImage}.
 */
final class Orphan {
    final int ino;
    OrphanPlace.Where where;
    /** Bit of the orphan file, {@code block * slotsPerBlock + slot}, while {@link #where} is SLOT. */
    int bit = -1;

    boolean wanted = true;
    boolean pinned;

    /** On its stripe's list of what the next closing looks at. */
    boolean touched;

    Orphan previousTouched;
    Orphan nextTouched;

    Orphan newer;
    Orphan older;
    /** The link on disk no longer says {@link #older}. */
    boolean relink;

    Orphan(int ino, OrphanPlace.Where where) {
        this.ino = ino;
        this.where = where;
    }

    boolean onDisk() {
        return where != OrphanPlace.Where.NOWHERE;
    }
}
