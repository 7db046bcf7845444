// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.Run;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Credits;
import ext4.core.volume.Volume;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.inode.InodeFlags;
import ext4.format.superblock.Feature;
import java.util.List;

/**
 * Which physical blocks a file has. The caller holds the inode's lock, for changes the write lock, and a handle. Changes
 * raise or lower {@link Inode#sectors}; unless said otherwise the caller writes the record under the same handle.
 */
public final class FileMap {
    /** One behind the last block that a file can have. */
    public static final long END = ExtentCheck.END;

    private static final long MAX_SECTORS_32 = 0xFFFF_FFFFL;
    private static final long MAX_SECTORS_48 = 0xFFFF_FFFF_FFFFL;
    /** Tree nodes that mapping one run can add at most. */
    private static final int NODES_TO_COME = ExtentNode.MAX_DEPTH + 1;
    /** Parts of a group in which new files begin. */
    private static final int COLOURS = 16;

    private final Volume volume;
    private final BlockAllocator blocks;
    private final InodeStore store;
    private final ExtentTree tree;
    private final ExtentRemoval removal;
    private final ExtentState state;
    private final BlockPointers pointers;
    private final PointerRemoval pointerRemoval;

    /** Works on these parts. */
    public FileMap(Volume volume, GroupTable groups, BlockAllocator blocks, InodeStore store) {
        this.volume = volume;
        this.blocks = blocks;
        this.store = store;
        tree = new ExtentTree(volume, blocks, groups.zone());
        removal = new ExtentRemoval(volume, tree, blocks, store);
        state = new ExtentState(tree);
        pointers = new BlockPointers(volume, blocks, groups.zone(), store);
        pointerRemoval = pointers.removal();
    }

    /** The run that begins at {@code lblk}: allocated or hole; a hole's count may reach past the end of the file. */
    public void find(Inode inode, long lblk, Mapping out) {
        if (inode.hasFlag(InodeFlags.INLINE_DATA)) {
            throw new UnsupportedFeatureException(inode.toString(), List.of(Feature.INLINE_DATA.mkeName()));
        }
        if (lblk >= END) {
            // i_size may say anything; no map reaches as far
            out.lblk = lblk;
            out.count = 1;
            out.pblk = 0;
            out.unwritten = false;
        } else if (inode.hasFlag(InodeFlags.EXTENTS)) {
            tree.find(inode, lblk, out);
        } else {
            pointers.find(inode, lblk, out);
        }
    }

    /** Physical block of a written block ({@code lblk} unsigned), 0 for a hole or an unwritten block. */
    public long map(Inode inode, int lblk) {
        Mapping found = new Mapping();
        find(inode, Integer.toUnsignedLong(lblk), found);
        return found.written() ? found.pblk : 0;
    }

    /**
     * A metadata block of a file (directory), held for the caller.
     *
     * @throws CorruptException if it is a hole
     */
    public CachedBlock block(Inode inode, int lblk, BlockKind kind) {
        long pblk = map(inode, lblk);
        if (pblk == 0) {
            throw new CorruptException(
                    inode.toString(), -1, "block " + Integer.toUnsignedString(lblk), "a hole", kind.what());
        }
        return volume.cache().get(pblk, kind);
    }

    /** Credits of allocating and mapping one run of a file, its record included. */
    public int allocateCredits(Inode inode) {
        if (!inode.hasFlag(InodeFlags.EXTENTS)) {
            return pointers.insertCredits();
        }
        return Credits.GROUP + Credits.mapping(depth(inode)) + Credits.INODE;
    }

    /** Credits of {@link #append}: the block, and what allocating and mapping it costs, the record included. */
    public int appendCredits(Inode inode) {
        return allocateCredits(inode) + 1;
    }

    /**
     * Adds one block of zeros at the end of a directory: allocates and maps it, raises size and sectors and writes the
     * record. The block is held for the caller and part of the handle's transaction already; its array to modify is
     * {@code handle.write(block)}, which costs nothing more. If it throws ENOSPC the directory is as it was, but for tree
     * nodes that may have been added.
     */
    public CachedBlock append(Handle handle, Credentials who, Inode inode, BlockKind kind) {
        long lblk = inode.size >>> volume.superblock().blockBits();
        Run run = new Run();
        allocate(handle, who, inode, lblk, 1, run);
        insert(handle, who, inode, lblk, run, false);
        inode.size += volume.blockSize();
        store.writeMapping(handle, inode);
        CachedBlock block = volume.cache().getNew(run.pblk, kind);
        handle.write(block);
        return block;
    }

    /**
     * Allocates blocks for a hole of a file, near what is before it, without mapping them: the caller goes on with
     * {@link #insert}, or gives them back with {@link BlockAllocator#free}.
     *
     * @param count blocks wished, all in one hole
     * @throws ErrnoException ENOSPC, or EFBIG where the file cannot have more blocks, without a change
     */
    public void allocate(Handle handle, Credentials who, Inode inode, long lblk, long count, Run out) {
        if (inode.hasFlag(InodeFlags.EXTENTS) ? !ExtentTree.addressable(lblk) : !pointers.addressable(lblk)) {
            throw ErrnoException.of(Errno.EFBIG);
        }
        int wanted = (int) Math.min(Math.min(count, ExtentNode.MAX_UNWRITTEN_LENGTH), END - 1 - lblk);
        if (!volume.superblock().has(Feature.HUGE_FILE)) {
            long room = (MAX_SECTORS_32 - inode.sectors) / volume.sectorsPerBlock() - NODES_TO_COME;
            if (room <= 0) {
                throw ErrnoException.of(Errno.EFBIG);
            }
            wanted = (int) Math.min(wanted, room);
        }
        blocks.allocate(handle, who, goal(inode, lblk), wanted, out);
    }

    private long goal(Inode inode, long lblk) {
        long after =
                inode.hasFlag(InodeFlags.EXTENTS) ? tree.continuation(inode, lblk) : pointers.continuation(inode, lblk);
        if (after != 0) {
            return after;
        }
        int group = volume.layout().groupOfInode(inode.ino);
        long first = volume.layout().firstBlock(group);
        if (inode.isDirectory()) {
            return first;
        }
        // Files that are written side by side begin in different parts of their group.
        int part = inode.ino & COLOURS - 1;
        return first + (long) volume.layout().blocksIn(group) * part / COLOURS;
    }

    /**
     * Maps allocated blocks into a hole, and counts them.
     *
     * @throws ErrnoException ENOSPC if the tree cannot grow: the blocks are freed and the file maps what it did before
     */
    public void insert(Handle handle, Credentials who, Inode inode, long lblk, Run run, boolean unwritten) {
        try {
            if (inode.hasFlag(InodeFlags.EXTENTS)) {
                tree.insert(handle, inode, lblk, run.count, run.pblk, unwritten);
            } else {
                pointers.insert(handle, who, inode, lblk, run);
            }
        } catch (ErrnoException e) {
            blocks.free(handle, run.pblk, run.count);
            store.writeMapping(handle, inode);
            throw e;
        }
        inode.sectors += (long) run.count * volume.sectorsPerBlock();
    }

    /** Credits of {@link #setState} once, the record included. */
    public int stateCredits(Inode inode) {
        return 1 + depth(inode) + Credits.mapping(depth(inode)) + Credits.INODE;
    }

    /**
     * Makes allocated blocks written or unwritten.
     *
     * @param lblk first block, within an extent of the other state
     * @return blocks changed, from 1 to {@code count}
     */
    public long setState(Handle handle, Inode inode, long lblk, long count, boolean unwritten) {
        return state.set(handle, inode, lblk, count, unwritten);
    }

    /** Credits to begin {@link #remove} with. */
    public int removeCredits(Inode inode) {
        return inode.hasFlag(InodeFlags.EXTENTS) ? removal.credits(inode) : pointerRemoval.credits();
    }

    /**
     * Frees the blocks from {@code from} on and before {@code to}, and writes the record. The handle may be restarted in
     * between, with {@code orphanChanges}: all that the caller did before is then in an earlier transaction.
     *
     */
    public void remove(Handle handle, Inode inode, long from, long to, int orphanChanges) {
        if (inode.hasFlag(InodeFlags.EXTENTS)) {
            removal.remove(handle, inode, from, to, orphanChanges);
        } else {
            pointerRemoval.remove(handle, inode, from, to, orphanChanges);
        }
    }

    /** Whether the inode has a map at all: a device, fifo, socket or fast symbolic link has none. */
    public boolean hasMap(Inode inode) {
        if (inode.isRegular() || inode.isDirectory()) {
            return true;
        }
        return inode.isSymlink() && !isFastSymlink(inode);
    }

    /** Whether the inode certainly has no block but one of attributes: its extent root is empty. */
    public boolean isEmpty(Inode inode) {
        return inode.hasFlag(InodeFlags.EXTENTS)
                && !inode.hasFlag(InodeFlags.INLINE_DATA)
                && ExtentNode.entries(inode.iBlock, 0) == 0;
    }

    /** Whether a symbolic link's target stands in i_block: it has no block but one of attributes. */
    public boolean isFastSymlink(Inode inode) {
        long attributes = inode.xattrBlock == 0 ? 0 : volume.superblock().xattrBlockSectors();
        return inode.isSymlink()
                && !inode.hasFlag(InodeFlags.EXTENTS)
                && !inode.hasFlag(InodeFlags.INLINE_DATA)
                && inode.size < Inode.I_BLOCK_BYTES
                && inode.sectors <= attributes;
    }

    /** The greatest size of a file: what its map can address. */
    public long maxSize(Inode inode) {
        if (inode.hasFlag(InodeFlags.EXTENTS)) {
            return maxSize();
        }
        return Math.min(
                maxSize(),
                pointers.maxBlocks(countable()) << volume.superblock().blockBits());
    }

    /** The greatest size of any file of the filesystem: what an extent tree can address and i_blocks count. */
    public long maxSize() {
        return Math.min(END - 1, countable()) << volume.superblock().blockBits();
    }

    /** Blocks that i_blocks can count. */
    private long countable() {
        return volume.superblock().has(Feature.HUGE_FILE) ? MAX_SECTORS_48 : MAX_SECTORS_32 / volume.sectorsPerBlock();
    }

    private static int depth(Inode inode) {
        return inode.hasFlag(InodeFlags.EXTENTS) ? ExtentTree.depth(inode) : 0;
    }
}
