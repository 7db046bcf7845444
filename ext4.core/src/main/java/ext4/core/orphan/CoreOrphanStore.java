// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;
import ext4.core.alloc.SystemZone;
import ext4.core.cache.CachedBlock;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeCache;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Volume;
import ext4.format.superblock.Feature;
import ext4.format.superblock.SuperblockFields;

/** The superblock's chain head, the links in inode records, and the slots of the orphan file. */
public final class CoreOrphanStore implements OrphanStore {
    private final Volume volume;
    private final InodeStore records;
    private final OrphanFile file;

    /**
     * Reads the orphan file, if there is one, and takes its blocks out of any other file's reach.
     *
     * @throws ext4.api.fs.CorruptException if it is not what it must be
     */
    public CoreOrphanStore(Volume volume, InodeStore records, InodeCache inodes, FileMap map, SystemZone zone) {
        this.volume = volume;
        this.records = records;
        if (volume.superblock().has(Feature.ORPHAN_FILE)) {
            Inode inode = inodes.get(volume.superblock().orphanFileIno());
            file = new OrphanFile(volume, map, inode);
            inodes.put(inode);
            zone.reserve(file.runs());
        } else {
            file = new OrphanFile();
        }
    }

    @Override
    public boolean persistent() {
        return volume.journal().journals();
    }

    @Override
    public int inodesCount() {
        return volume.superblock().inodesCount();
    }

    @Override
    public int chainHead() {
        return volume.superblockBuffer().view(SuperblockFields::lastOrphan);
    }

    @Override
    public void chainHead(Handle handle, int ino) {
        volume.superblockBuffer().edit(handle, (b, off) -> SuperblockFields.setLastOrphan(b, off, ino));
    }

    @Override
    public int link(int ino) {
        return records.deletionTime(ino);
    }

    @Override
    public void link(Handle handle, int ino, int next) {
        records.deletionTime(handle, ino, next);
    }

    @Override
    public void pin(int ino) {
        // The hold that the cache gives is kept until unpin.
        records.tableBlock(ino);
    }

    @Override
    public void unpin(int ino) {
        try (CachedBlock block = records.cachedTableBlock(ino)) {
            block.unpin();
        }
    }

    @Override
    public int fileBlocks() {
        return file.blocks();
    }

    @Override
    public int slotsPerBlock() {
        return file.slots();
    }

    @Override
    public int slot(int block, int index) {
        return file.get(block, index);
    }

    @Override
    public void slot(Handle handle, int block, int index, int ino) {
        file.set(handle, block, index, ino);
    }
}
