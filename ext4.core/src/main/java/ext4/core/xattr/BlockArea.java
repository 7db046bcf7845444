// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.xattr.XattrArea;
import ext4.format.xattr.XattrBlock;
import ext4.format.xattr.XattrList;

/**
 * The attributes in the attribute block. Changes set the fields of the {@link Inode}; the caller writes its record.
 *
 * <p>The block is one of metadata: it goes through the journal, and a revoke when it is freed.
 */
final class BlockArea {
    private static final int STRIPES = 64;

    private final Volume volume;
    private final BlockAllocator blocks;
    private final XattrBlockKind kind;
    private final XattrArea area;
    /** A monitor with a name of its own, for who looks at the order of locks. */
    private static final class XattrLock {}

    private final XattrLock[] locks = new XattrLock[STRIPES];

    BlockArea(Volume volume, BlockAllocator blocks) {
        this.volume = volume;
        this.blocks = blocks;
        this.kind = new XattrBlockKind(volume.superblock());
        this.area = XattrArea.ofBlock(volume.blockSize());
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new XattrLock();
        }
    }

    /** Looks into the list, or returns {@code otherwise} if the inode has no block. */
    <T> T look(Inode inode, T otherwise, InodeArea.Look<T> look) {
        if (inode.xattrBlock == 0) {
            return otherwise;
        }
        try (CachedBlock block = volume.cache().get(inode.xattrBlock, kind)) {
            return look.at(area, block.data());
        }
    }

    /** The value, null if it isn't there. */
    byte[] get(Inode inode, int index, byte[] name) {
        return look(inode, null, (a, b) -> Values.get(a, b, index, name));
    }

    /**
     * Sets an attribute.
     *
     * @throws ErrnoException ENOSPC, nothing changed, if it does not fit or no block is free
     */
    void set(Handle handle, Credentials who, Inode inode, int index, byte[] name, byte[] value) {
        byte[] content = look(inode, null, (a, b) -> b.clone());
        if (content == null) {
            content = new byte[volume.blockSize()];
            XattrBlock.init(content);
        }
        if (!XattrList.set(area, content, index, name, value)) {
            throw ErrnoException.of(Errno.ENOSPC);
        }
        store(handle, who, inode, content);
    }

    /** Removes an attribute; whether it was there. */
    boolean remove(Handle handle, Credentials who, Inode inode, int index, byte[] name) {
        byte[] content = look(inode, null, (a, b) -> b.clone());
        if (content == null || !XattrList.remove(area, content, index, name)) {
            return false;
        }
        if (XattrBlock.isEmpty(content)) {
            release(handle, inode);
        } else {
            store(handle, who, inode, content);
        }
        return true;
    }

    /** Gives up the block: one user fewer, or none and it is free. */
    void release(Handle handle, Inode inode) {
        long pblk = inode.xattrBlock;
        if (pblk == 0) {
            return;
        }
        if (!unshare(handle, pblk)) {
            blocks.freeMetadata(handle, pblk);
        }
        inode.xattrBlock = 0;
        inode.subtractSectors(volume.sectorsPerBlock());
    }

    private void store(Handle handle, Credentials who, Inode inode, byte[] content) {
        XattrBlock.rehash(content);
        if (inode.xattrBlock != 0 && soleUser(inode.xattrBlock)) {
            try (CachedBlock block = volume.cache().get(inode.xattrBlock, kind)) {
                overwrite(handle, block, content);
            }
            return;
        }
        long fresh = blocks.allocateOne(handle, who, goal(inode));
        try (CachedBlock block = volume.cache().getNew(fresh, kind)) {
            overwrite(handle, block, content);
        }
        release(handle, inode);
        inode.xattrBlock = fresh;
        inode.sectors += volume.sectorsPerBlock();
        noteFeature(handle);
    }

    private static void overwrite(Handle handle, CachedBlock block, byte[] content) {
        byte[] b = handle.write(block);
        System.arraycopy(content, 0, b, 0, b.length);
        XattrBlock.setRefcount(b, 1);
    }

    /** With one user the count can't change but by that user, whose inode lock the caller holds. */
    private boolean soleUser(long pblk) {
        synchronized (lock(pblk)) {
            try (CachedBlock block = volume.cache().get(pblk, kind)) {
                return XattrBlock.refcount(block.data()) == 1;
            }
        }
    }

    /** Takes one user off a shared block; false, doing nothing, if there is only one. */
    private boolean unshare(Handle handle, long pblk) {
        synchronized (lock(pblk)) {
            try (CachedBlock block = volume.cache().get(pblk, kind)) {
                int users = XattrBlock.refcount(block.data());
                if (users == 1) {
                    return false;
                }
                XattrBlock.setRefcount(handle.write(block), users - 1);
                return true;
            }
        }
    }

    private long goal(Inode inode) {
        Superblock sb = volume.superblock();
        long group = (inode.ino - 1 & 0xFFFF_FFFFL) / sb.inodesPerGroup();
        return sb.firstDataBlock() + group * sb.blocksPerGroup();
    }

    /** The first attribute block of a filesystem sets ext_attr, without which e2fsck clears such blocks. */
    private void noteFeature(Handle handle) {
        if (!volume.superblock().has(Feature.EXT_ATTR)) {
            volume.superblockBuffer()
                    .edit(handle, (b, off) -> SuperblockFields.setFeature(b, off, Feature.EXT_ATTR, true));
        }
    }

    private XattrLock lock(long pblk) {
        return locks[(int) pblk & STRIPES - 1];
    }
}
