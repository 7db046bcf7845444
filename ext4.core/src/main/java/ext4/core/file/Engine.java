// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.SpaceRetry;
import ext4.core.extent.FileMap;
import ext4.core.inode.Evictor;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeCache;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Pins;
import ext4.core.volume.Volume;

/**
 * The parts of a mounted filesystem that the verbs are made of.
 *
 * <p>A changing verb: {@code volume.checkWritable()}, hold inodes, take their locks, {@code volume.start}, change,
 * {@code records.write}, close the handle, release. What needs space does this inside {@code space.run}. What took the last
 * link calls {@code handle.orphans().add} under the handle and {@link #unlinked} after it.
 */
public record Engine(
        Volume volume,
        GroupTable groups,
        BlockAllocator blocks,
        SpaceRetry space,
        InodeCache inodes,
        InodeStore records,
        InodeAllocator inodeAllocator,
        FileMap map,
        Pins pins,
        Evictor evictor) {

    /**
     * The inode lost its last link in a transaction whose handle is closed: frees it, now or with its last pin. The caller
     * holds no lock.
     */
    public void unlinked(int ino) {
        if (pins.unlinked(ino)) {
            evictor.evictNow(ino);
        }
    }

    /** Gives pins back, and frees what this was the last use of. */
    public void forget(int ino, long count) {
        if (pins.remove(ino, count)) {
            evictor.evict(ino);
        }
    }
}
