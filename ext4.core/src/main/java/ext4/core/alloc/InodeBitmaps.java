// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.core.cache.CachedBlock;
import ext4.core.volume.Volume;
import ext4.format.group.Bitmap;
import ext4.format.group.GroupDesc;
import ext4.format.superblock.Superblock;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Takes and gives back inode numbers in one group. A handle is open; the group's lock is taken inside. */
public final class InodeBitmaps {
    private final Volume volume;
    private final Superblock sb;
    private final GroupTable groups;

    /** Of these groups. */
    public InodeBitmaps(Volume volume, GroupTable groups) {
        this.volume = volume;
        this.groups = groups;
        sb = volume.superblock();
    }

    /** Free inodes of a group; may be stale. */
    public int freeInodes(int group) {
        return groups.group(group).freeInodes;
    }

    /** Free blocks of a group; may be stale. */
    public int freeBlocks(int group) {
        return groups.group(group).freeBlocks;
    }

    /** Directories of a group; may be stale. */
    public int usedDirs(int group) {
        return groups.group(group).usedDirs;
    }

    /**
     * Takes the lowest free number of the group, never a reserved one. Inode bitmap and descriptor block are written, and
     * the block bitmap if it was uninitialised: three credits.
     *
     * @param reserved which free numbers are not to be used; {@link #mayTakeAgain} ends that
     * @param before called with the number before the table's unused part shrinks, the group's lock held: what the block
     *     of the record is made of must be decided then
     * @return the number, 0 if the group has none
     */
    public int take(Handle handle, int index, boolean directory, IntPredicate reserved, IntConsumer before) {
        Group group = groups.group(index);
        if (group.freeInodes == 0) {
            return 0;
        }
        try (CachedBlock bitmap = bitmap(index);
                CachedBlock blockBitmap = uninitializedBlocks(group)) {
            group.lock.lock();
            try {
                int bit = nextFree(group, bitmap.data(), reserved);
                if (bit == sb.inodesPerGroup()) {
                    return 0;
                }
                takeLocked(handle, group, bitmap, bit, directory, before);
                initializeBlocksLocked(handle, group, blockBitmap);
                return volume.layout().inode(index, bit);
            } finally {
                group.lock.unlock();
            }
        }
    }

    private int nextFree(Group group, byte[] bitmap, IntPredicate reserved) {
        int bit = Bitmap.nextClear(bitmap, first(group), sb.inodesPerGroup());
        while (bit < sb.inodesPerGroup() && reserved.test(volume.layout().inode(group.index, bit))) {
            bit = Bitmap.nextClear(bitmap, bit + 1, sb.inodesPerGroup());
        }
        return bit;
    }

    /** A free number is reserved no longer: those who look for one find it. */
    public void mayTakeAgain(int ino) {
        Group group = groups.group(volume.layout().groupOfInode(ino));
        group.lock.lock();
        try {
            group.firstFreeInode =
                    Math.min(group.firstFreeInode, volume.layout().indexOfInode(ino));
        } finally {
            group.lock.unlock();
        }
    }

    private int first(Group group) {
        int reserved = group.index == 0 ? sb.firstIno() - 1 : 0;
        return Math.max(group.firstFreeInode, reserved);
    }

    private void takeLocked(
            Handle handle, Group group, CachedBlock bitmap, int bit, boolean directory, IntConsumer before) {
        if (group.freeInodes == 0) {
            throw new CorruptException(
                    "descriptor of group " + group.index, -1, "bg_free_inodes_count", "0", "what the bitmap has");
        }
        before.accept(volume.layout().inode(group.index, bit));
        Bitmap.set(handle.write(bitmap), bit);
        group.firstFreeInode = bit + 1;
        int unused = Math.min(group.itableUnused, sb.inodesPerGroup() - bit - 1);
        groups.addFreeInodesLocked(handle, group, -1, directory ? 1 : 0, unused);
        groups.inodesChangedLocked(group, bitmap);
    }

    /** The block bitmap, if it is uninitialised: a group with inodes in use gets it written. */
    private CachedBlock uninitializedBlocks(Group group) {
        return (group.flags & GroupDesc.BLOCK_UNINIT) == 0
                ? null
                : volume.cache().get(group.blockBitmap, new BitmapKinds.Blocks(groups, group.index));
    }

    private void initializeBlocksLocked(Handle handle, Group group, CachedBlock blockBitmap) {
        if (blockBitmap != null && (group.flags & GroupDesc.BLOCK_UNINIT) != 0) {
            handle.write(blockBitmap);
            groups.addFreeBlocksLocked(handle, group, 0);
            groups.blocksChangedLocked(group, blockBitmap);
        }
    }

    /** Gives a number back: inode bitmap and descriptor block, two credits. */
    public void release(Handle handle, int ino, boolean directory) {
        Group group = groups.group(volume.layout().groupOfInode(ino));
        int bit = volume.layout().indexOfInode(ino);
        try (CachedBlock bitmap = bitmap(group.index)) {
            group.lock.lock();
            try {
                if (!Bitmap.test(bitmap.data(), bit)) {
                    throw new CorruptException(
                            "inode bitmap of group " + group.index, group.inodeBitmap, "bit " + bit, "clear", "set");
                }
                Bitmap.clear(handle.write(bitmap), bit);
                group.firstFreeInode = Math.min(group.firstFreeInode, bit);
                groups.addFreeInodesLocked(handle, group, 1, directory ? -1 : 0, group.itableUnused);
                groups.inodesChangedLocked(group, bitmap);
            } finally {
                group.lock.unlock();
            }
        }
    }

    /** Whether the number is marked as used; {@code ino} is between 1 and s_inodes_count. */
    public boolean used(int ino) {
        int group = volume.layout().groupOfInode(ino);
        try (CachedBlock bitmap = bitmap(group)) {
            return Bitmap.test(bitmap.data(), volume.layout().indexOfInode(ino));
        }
    }

    private CachedBlock bitmap(int group) {
        return volume.cache().get(groups.inodeBitmap(group), new BitmapKinds.Inodes(groups, group));
    }
}
