// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.GroupTable;
import ext4.core.cache.CachedBlock;
import ext4.core.volume.Volume;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeDtime;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;

/**
 * Inode records in the inode tables. Every change of a record and of its checksum is made under the record lock; the
 * checksum is made at once, since the block may be committed at any time after the handle is closed.
 */
public final class InodeStore {
    /** Credits of {@link #write}, {@link #deletionTime} and {@link #edit}: the inode-table block, once. */
    public static final int CREDITS = 1;

    /** Works on the raw record under the record lock. */
    @FunctionalInterface
    public interface RecordEdit {
        /**
         * @param block inode-table block
         * @param offset where the record begins in it
         */
        void on(byte[] block, int offset);
    }

    /** Reads from the raw record under the record lock. */
    @FunctionalInterface
    public interface RecordView<T> {
        /** As {@link RecordEdit#on}; must not change anything nor keep the array. */
        T on(byte[] block, int offset);
    }

    private final Volume volume;
    private final Superblock sb;
    private final GroupTable groups;
    private final InodeTableKind[] kinds;
    private final RecordLocks locks = new RecordLocks();
    private final InodeCodec codec;

    /** Records of this volume. */
    public InodeStore(Volume volume, GroupTable groups) {
        this.volume = volume;
        this.groups = groups;
        sb = volume.superblock();
        codec = new InodeCodec(volume, groups.zone());
        kinds = new InodeTableKind[groups.count()];
        for (int g = 0; g < kinds.length; g++) {
            kinds[g] = new InodeTableKind(groups, g, sb.inodesPerBlock());
        }
    }

    /**
     * Writes the fields of {@code inode} into its record, all but i_dtime, with the checksum, and notes the transaction in
     * syncTid. The caller holds the inode's write lock.
     */
    public void write(Handle handle, Inode inode) {
        byte[] b = tableBytes(handle, inode);
        synchronized (locks.of(inode.ino)) {
            codec.encode(inode, b, inode.recordOffset);
            codec.seal(inode, b, inode.recordOffset);
        }
        inode.syncTid = handle.tid();
    }

    /** As {@link #write}; the change also concerns fdatasync(2): size or mapping. */
    public void writeMapping(Handle handle, Inode inode) {
        write(handle, inode);
        inode.datasyncTid = handle.tid();
    }

    /** As {@link #write} for a number that is taken into use: everything else in the record becomes zero. */
    void writeNew(Handle handle, Inode inode) {
        edit(handle, inode, (b, off) -> {
            InodeRecord.initialize(b, off, sb.inodeSize(), inode.extraIsize);
            InodeDtime.set(b, off, 0);
            codec.encode(inode, b, off);
        });
        inode.datasyncTid = handle.tid();
    }

    /** As {@link #write}, and sets i_dtime: the inode is off the orphan list and its number about to be free. */
    void writeFreed(Handle handle, Inode inode, int deletionTime) {
        edit(handle, inode, (b, off) -> {
            InodeDtime.set(b, off, deletionTime);
            codec.encode(inode, b, off);
        });
    }

    /**
     * Sets i_dtime of an inode that is not on the orphan list: 0 for a live one, the deletion time (see
     * {@link InodeDtime#deletionTime}) for a freed one.
     */
    public void deletionTime(Handle handle, int ino, int value) {
        edit(handle, ino, (b, off) -> {
            InodeDtime.set(b, off, value);
            InodeChecksum.seal(sb, ino, b, off);
        });
    }

    /**
     * Takes a live inode off the orphan list. The list may put its own writing off until the transaction closes, and then
     * writes the links of its members only: i_dtime is the core's again, and 0 for a live inode.
     */
    public void takeOffOrphanList(Handle handle, int ino) {
        handle.orphans().remove(handle, ino);
        if (deletionTime(ino) != 0) {
            deletionTime(handle, ino, 0);
        }
    }

    /** Changes parts of the record beyond the fields of {@link Inode} (extended attributes); makes the checksum. */
    public void edit(Handle handle, Inode inode, RecordEdit edit) {
        byte[] b = tableBytes(handle, inode);
        synchronized (locks.of(inode.ino)) {
            edit.on(b, inode.recordOffset);
            codec.renewKey(inode, b, inode.recordOffset);
            codec.seal(inode, b, inode.recordOffset);
        }
        inode.syncTid = handle.tid();
    }

    private void edit(Handle handle, int ino, RecordEdit edit) {
        try (CachedBlock block = tableBlock(ino)) {
            byte[] b = handle.write(block);
            synchronized (locks.of(ino)) {
                edit.on(b, volume.layout().inodeOffset(ino));
            }
        }
    }

    /** Reads parts of the record beyond the fields of {@link Inode}. The caller holds the inode's lock. */
    public <T> T view(Inode inode, RecordView<T> view) {
        CachedBlock known = inode.table;
        try (CachedBlock block = known != null && known.tryPin() ? known : tableBlock(inode.ino)) {
            synchronized (locks.of(inode.ino)) {
                return view.on(block.data(), volume.layout().inodeOffset(inode.ino));
            }
        }
    }

    /** As the other one, by number. */
    public <T> T view(int ino, RecordView<T> view) {
        try (CachedBlock block = tableBlock(ino)) {
            synchronized (locks.of(ino)) {
                return view.on(block.data(), volume.layout().inodeOffset(ino));
            }
        }
    }

    /** i_dtime as it stands. */
    public int deletionTime(int ino) {
        return view(ino, InodeDtime::get);
    }

    /**
     * Reads and checks the record.
     *
     * @throws ErrnoException ESTALE if it is not in use: never used, or without links and not {@code unlinkedToo}
     */
    void read(Inode inode, boolean unlinkedToo) {
        try (CachedBlock block = tableBlock(inode.ino)) {
            synchronized (locks.of(inode.ino)) {
                byte[] b = block.data();
                int off = volume.layout().inodeOffset(inode.ino);
                if (InodeCodec.unused(b, off) || !unlinkedToo && InodeRecord.links(b, off) == 0) {
                    throw ErrnoException.of(Errno.ESTALE);
                }
                codec.decode(b, off, inode);
                codec.check(b, off, inode, block.pblk());
            }
        }
        inode.syncTid = volume.currentTid();
        inode.datasyncTid = inode.syncTid;
    }

    /**
     * i_generation of inodes, read from block after block of the tables.
     *
     * @param inos ascend, unsigned
     * @param known of which the generation is there already
     */
    public void generations(int[] inos, boolean[] known, int[] generations) {
        CachedBlock block = null;
        try {
            for (int i = 0; i < inos.length; i++) {
                if (known[i]) {
                    continue;
                }
                int group = volume.layout().groupOfInode(inos[i]);
                long pblk = volume.layout().inodeBlock(inos[i], groups.inodeTable(group));
                if (block == null || block.pblk() != pblk) {
                    if (block != null) {
                        block.close();
                        block = null;
                    }
                    block = tableBlock(inos[i]);
                }
                int offset = volume.layout().inodeOffset(inos[i]);
                generations[i] = InodeRecord.generation(block.data(), offset);
            }
        } finally {
            if (block != null) {
                block.close();
            }
        }
    }

    /** The version of the inode-table block to change under this handle. The caller holds the inode's write lock. */
    private byte[] tableBytes(Handle handle, Inode inode) {
        CachedBlock known = inode.table;
        byte[] joined = known == null ? null : handle.writeJoined(known);
        if (joined != null) {
            return joined;
        }
        try (CachedBlock block = tableBlock(inode)) {
            return handle.write(block);
        }
    }

    /** The inode-table block, held for the caller, who holds the inode's write lock. */
    private CachedBlock tableBlock(Inode inode) {
        CachedBlock known = inode.table;
        if (known != null && known.tryPin()) {
            return known;
        }
        CachedBlock found = tableBlock(inode.ino);
        inode.recordOffset = volume.layout().inodeOffset(inode.ino);
        inode.table = found;
        return found;
    }

    /** The inode-table block of {@code ino}, held for the caller; {@code ino} is between 1 and s_inodes_count. */
    public CachedBlock tableBlock(int ino) {
        int group = volume.layout().groupOfInode(ino);
        return volume.cache().get(volume.layout().inodeBlock(ino, groups.inodeTable(group)), kinds[group]);
    }

    /** The inode-table block of {@code ino} if it is in memory, held, else null. */
    public CachedBlock cachedTableBlock(int ino) {
        int group = volume.layout().groupOfInode(ino);
        return volume.cache().peek(volume.layout().inodeBlock(ino, groups.inodeTable(group)));
    }

    /** Whether the block of {@code ino} holds only inodes that were never used, so that fetching it reads nothing. */
    boolean untouched(int ino) {
        int group = volume.layout().groupOfInode(ino);
        return kinds[group].untouched(volume.layout().inodeBlock(ino, groups.inodeTable(group)));
    }
}
