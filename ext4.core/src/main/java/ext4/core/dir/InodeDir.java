// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.format.inode.InodeFlags;

/** The blocks of the directory that an inode is. */
final class InodeDir implements DirFile {
    /** Without large_dir a directory is shorter than 2 GiB. */
    private static final long MAX_SIZE = 1L << 31;

    private final Directories owner;
    private final Inode inode;
    private final Credentials who;
    private final BlockKind kind;

    InodeDir(Directories owner, Inode inode, Credentials who) {
        this.owner = owner;
        this.inode = inode;
        this.who = who;
        this.kind = new DirBlockKind(owner.superblock(), owner.format(), inode.ino, inode.generation);
    }

    @Override
    public DirFormat format() {
        return owner.format();
    }

    @Override
    public int ino() {
        return inode.ino;
    }

    @Override
    public int blocks() {
        int blockSize = format().blockSize();
        if (inode.size % blockSize != 0
                || inode.size <= 0
                || inode.size >= MAX_SIZE
                || inode.size / blockSize > owner.superblock().blocksCount()) {
            throw new CorruptException(
                    inode.toString(), -1, "size of a directory", "" + inode.size, "whole blocks, at least one");
        }
        return (int) (inode.size / blockSize);
    }

    @Override
    public boolean indexFlag() {
        return inode.hasFlag(InodeFlags.INDEX);
    }

    @Override
    public void indexFlag(Handle handle, boolean set) {
        inode.flags = set ? inode.flags | InodeFlags.INDEX : inode.flags & ~InodeFlags.INDEX;
        owner.records().write(handle, inode);
    }

    @Override
    public void indexUnusable(CorruptException evidence) {
        owner.indexUnusable(evidence);
    }

    @Override
    public byte[] read(int lblk) {
        try (CachedBlock block = owner.map().block(inode, lblk, kind)) {
            return block.data();
        }
    }

    @Override
    public byte[] write(Handle handle, int lblk) {
        inode.contentChanges();
        try (CachedBlock block = owner.map().block(inode, lblk, kind)) {
            return handle.write(block);
        }
    }

    @Override
    public int append(Handle handle) {
        long before = inode.size;
        owner.map().append(handle, who, inode, kind).close();
        return (int) (before / format().blockSize());
    }
}
