// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.Handle;
import ext4.core.cache.CachedBlock;
import ext4.core.volume.Volume;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * All block groups. The descriptor blocks stay in memory for the whole mount; a descriptor is changed under its group's
 * lock, and its checksum made when its block is sealed. What changes of a descriptor is kept in {@link Group}, and the
 * checksum of a bitmap stands in the descriptor: {@link #closing} writes both once a transaction for each group that
 * changed, before the transaction's versions are frozen, instead of once a change. So tasks in different groups, whose
 * descriptors share a block, don't meet in it.
 */
public final class GroupTable {
    private final Volume volume;
    private final Superblock sb;
    private final GroupLayout layout;
    private final CachedBlock[] descBlocks;
    private final Group[] groups;
    private final AtomicLongArray changed;
    private final LongAdder freeBlocks = new LongAdder();
    private final LongAdder freeInodes = new LongAdder();
    private final LongAdder directories = new LongAdder();
    private final SystemZone zone;

    /**
     * Reads and checks every descriptor.
     *
     * @throws UnsupportedFeatureException if they would take more than a quarter of the heap
     */
    public GroupTable(Volume volume) {
        this.volume = volume;
        sb = volume.superblock();
        layout = volume.layout();
        long bytes = (long) sb.descBlocks() * sb.blockSize() + 256L * sb.groupCount();
        if (bytes > Runtime.getRuntime().maxMemory() / 4) {
            throw new UnsupportedFeatureException(
                    volume.device().name() + ": descriptors of " + sb.groupCount() + " groups need " + bytes
                            + " bytes of heap, a quarter of which is "
                            + Runtime.getRuntime().maxMemory() / 4,
                    List.of("so many groups with this -Xmx"));
        }
        groups = new Group[sb.groupCount()];
        changed = new AtomicLongArray((groups.length + 63) / 64);
        descBlocks = new CachedBlock[sb.descBlocks()];
        for (int i = 0; i < descBlocks.length; i++) {
            descBlocks[i] = volume.cache()
                    .get(
                            layout.descBlock(i),
                            new DescBlockKind(sb, layout, i, !volume.options().readOnly()));
        }
        for (int g = 0; g < groups.length; g++) {
            groups[g] = read(g);
        }
        zone = new SystemZone(sb, layout, this);
    }

    private Group read(int g) {
        byte[] b = descBlocks[g / sb.descsPerBlock()].data();
        int off = layout.descOffsetOf(g);
        int size = sb.descSize();
        Group group = new Group(
                g,
                layout.firstBlock(g),
                layout.blocksIn(g),
                GroupDesc.blockBitmap(b, off, size),
                GroupDesc.inodeBitmap(b, off, size),
                GroupDesc.inodeTable(b, off, size));
        group.freeBlocks = within(GroupDesc.freeBlocks(b, off, size), group.blocks, group.blocks);
        group.freeInodes = within(GroupDesc.freeInodes(b, off, size), sb.inodesPerGroup(), sb.inodesPerGroup());
        group.usedDirs = within(GroupDesc.usedDirs(b, off, size), sb.inodesPerGroup(), 0);
        group.flags = sb.groupFlagsValid() ? GroupDesc.flags(b, off) : 0;
        group.itableUnused =
                sb.groupFlagsValid() ? within(GroupDesc.itableUnused(b, off, size), sb.inodesPerGroup(), 0) : 0;
        freeBlocks.add(group.freeBlocks);
        freeInodes.add(group.freeInodes);
        directories.add(group.usedDirs);
        return group;
    }

    /** What a descriptor counts, or instead of what cannot be {@code otherwise}: the bitmap's reader compares it. */
    private static int within(int count, int most, int otherwise) {
        return Integer.compareUnsigned(count, most) > 0 ? otherwise : count;
    }

    /**
     * Checks the checksums of all descriptors, which a read-only mount leaves alone.
     *
     * @throws ext4.api.fs.CorruptException if one is wrong
     */
    public void checkSums() {
        for (int i = 0; i < descBlocks.length; i++) {
            new DescBlockKind(sb, layout, i, true).verify(descBlocks[i].data(), descBlocks[i].pblk());
        }
    }

    /** Number of groups. */
    public int count() {
        return groups.length;
    }

    /** First block of a group's inode table. */
    public long inodeTable(int group) {
        return groups[group].inodeTable;
    }

    /** Block of a group's block bitmap. */
    public long blockBitmap(int group) {
        return groups[group].blockBitmap;
    }

    /** Block of a group's inode bitmap. */
    public long inodeBitmap(int group) {
        return groups[group].inodeBitmap;
    }

    /** Inodes of a group's table, from its beginning, that may have been used; the rest reads as zeros. */
    public int inodesTouched(int group) {
        return sb.inodesPerGroup() - groups[group].itableUnused;
    }

    /** Free blocks of the filesystem, those counted whose freeing is not durable yet; may be stale. */
    public long freeBlocks() {
        return freeBlocks.sum();
    }

    /** Free inodes of the filesystem; may be stale. */
    public long freeInodes() {
        return freeInodes.sum();
    }

    /** Directories of the filesystem; may be stale. */
    public long directories() {
        return directories.sum();
    }

    /** Blocks that belong to no file. */
    public SystemZone zone() {
        return zone;
    }

    Group group(int index) {
        return groups[index];
    }

    Volume volume() {
        return volume;
    }

    /** Adds to the group's free blocks; the descriptor follows at {@link #closing}. The group's lock is held. One credit. */
    void addFreeBlocksLocked(Handle handle, Group group, int delta) {
        int free = group.freeBlocks + delta;
        group.freeBlocks = free;
        freeBlocks.add(delta);
        clearFlagLocked(group, GroupDesc.BLOCK_UNINIT);
        changedLocked(handle, group);
    }

    /** Adds to the group's free inodes and directories and sets what of the table is unused; as the above. One credit. */
    void addFreeInodesLocked(Handle handle, Group group, int delta, int deltaDirs, int itableUnused) {
        int free = group.freeInodes + delta;
        group.freeInodes = free;
        freeInodes.add(delta);
        if (deltaDirs != 0) {
            int dirs = group.usedDirs + deltaDirs;
            group.usedDirs = dirs;
            directories.add(deltaDirs);
        }
        if (sb.groupFlagsValid()) {
            if (group.itableUnused != itableUnused) {
                group.itableUnused = itableUnused;
            }
            clearFlagLocked(group, GroupDesc.INODE_UNINIT);
        }
        changedLocked(handle, group);
    }

    private static void clearFlagLocked(Group group, int flag) {
        int flags = group.flags;
        if ((flags & flag) != 0) {
            group.flags = flags & ~flag;
        }
    }

    /** The block bitmap changed: its checksum is due at {@link #closing}. The group's lock is held. */
    void blocksChangedLocked(Group group, CachedBlock bitmap) {
        group.changedBlocks = bitmap;
    }

    /** The inode bitmap changed: its checksum is due at {@link #closing}. The group's lock is held. */
    void inodesChangedLocked(Group group, CachedBlock bitmap) {
        group.changedInodes = bitmap;
    }

    /** The first change in a transaction gives its credit for the descriptor block to the closing. */
    private void changedLocked(Handle handle, Group group) {
        long bit = 1L << group.index;
        int word = group.index >>> 6;
        if ((changed.get(word) & bit) == 0) {
            handle.reserveForClosing(1);
            changed.getAndAccumulate(word, bit, (old, one) -> old | one);
        }
    }

    /**
     * Stores the descriptors that changed in the transaction that is being closed, with the checksums of their bitmaps,
     * whose blocks are part of it already, and pinned by the journal.
     */
    public void closing(Handle handle) {
        for (int word = 0; word < changed.length(); word++) {
            if (changed.get(word) == 0) {
                continue;
            }
            for (long bits = changed.getAndSet(word, 0); bits != 0; bits &= bits - 1) {
                store(handle, groups[word * 64 + Long.numberOfTrailingZeros(bits)]);
            }
        }
    }

    private void store(Handle handle, Group group) {
        group.lock.lock();
        try {
            byte[] b = handle.write(descBlockOf(group));
            int off = layout.descOffsetOf(group.index);
            int size = sb.descSize();
            GroupDesc.setFreeBlocks(b, off, size, group.freeBlocks);
            GroupDesc.setFreeInodes(b, off, size, group.freeInodes);
            GroupDesc.setUsedDirs(b, off, size, group.usedDirs);
            if (sb.groupFlagsValid()) {
                GroupDesc.setFlags(b, off, group.flags);
                GroupDesc.setItableUnused(b, off, size, group.itableUnused);
            }
            sealBitmapsLocked(group, b, off);
        } finally {
            group.lock.unlock();
        }
    }

    private void sealBitmapsLocked(Group group, byte[] desc, int off) {
        if (group.changedBlocks != null && sb.metadataCsum()) {
            BitmapChecksum.sealBlocks(sb, group.changedBlocks.data(), desc, off);
        }
        if (group.changedInodes != null && sb.metadataCsum()) {
            BitmapChecksum.sealInodes(sb, group.changedInodes.data(), desc, off);
        }
        group.changedBlocks = null;
        group.changedInodes = null;
    }

    byte[] descBlock(int group) {
        return descBlocks[group / sb.descsPerBlock()].data();
    }

    private CachedBlock descBlockOf(Group group) {
        return descBlocks[group.index / sb.descsPerBlock()];
    }
}
