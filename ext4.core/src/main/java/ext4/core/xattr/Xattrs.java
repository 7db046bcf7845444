// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.Credentials;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.alloc.BlockAllocator;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.inode.InodeXattrs;
import ext4.core.inode.Times;
import ext4.core.volume.Volume;
import ext4.format.xattr.XattrName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The attributes of an inode, by index and name without prefix ({@link XattrName}). An attribute stands in the inode
 * record or in the block, never in both; the record is tried first.
 */
public final class Xattrs implements InodeXattrs {
    /**
     * Credits of {@link #set}: the record; the old block; a new one with bitmap and descriptor; bitmap and descriptor of
     * the old one when its last attribute goes; the superblock when it is the first block of the filesystem.
     */
    public static final int SET_CREDITS = 8;

    private static final byte[] CAPABILITY = "capability".getBytes(StandardCharsets.US_ASCII);

    private final Volume volume;
    private final InodeStore records;
    private final InodeArea inInode;
    private final BlockArea inBlock;

    /** Of one mounted filesystem. */
    public Xattrs(Volume volume, InodeStore records, BlockAllocator blocks) {
        this.volume = volume;
        this.records = records;
        this.inInode = new InodeArea(records, volume.superblock().inodeSize());
        this.inBlock = new BlockArea(volume, blocks);
    }

    /** The value, null if there is none. */
    public byte[] get(Inode inode, int index, byte[] name) {
        boolean capability = index == XattrName.SECURITY && Arrays.equals(name, CAPABILITY);
        // asked for before each write and chown, and hardly ever there
        if (capability && inode.capability == Inode.Known.ABSENT) {
            return null;
        }
        byte[] inRecord = inInode.get(inode, index, name);
        byte[] value = inRecord != null ? inRecord : inBlock.get(inode, index, name);
        if (capability) {
            inode.capability = value == null ? Inode.Known.ABSENT : Inode.Known.PRESENT;
        }
        return value;
    }

    /** Full names of all that users can name. */
    public List<byte[]> list(Inode inode) {
        List<byte[]> names = new ArrayList<>();
        InodeArea.Look<Void> collect = (area, b) -> {
            Values.names(area, b, names);
            return null;
        };
        inInode.look(inode, null, collect);
        inBlock.look(inode, null, collect);
        return names;
    }

    /**
     * Sets an attribute, and the change time. {@link #SET_CREDITS}.
     *
     * @throws ErrnoException ENOSPC, nothing changed, if it fits neither the record nor the block, or no block is free
     */
    public void set(Handle handle, Credentials who, Inode inode, int index, byte[] name, byte[] value) {
        inode.capability = Inode.Known.NOT;
        if (inInode.fits(inode, index, name, value.length)) {
            inInode.set(handle, inode, index, name, value);
            inBlock.remove(handle, who, inode, index, name);
        } else {
            inBlock.set(handle, who, inode, index, name, value);
            inInode.remove(handle, inode, index, name);
        }
        changed(handle, inode);
    }

    /** Removes an attribute, and sets the change time if it was there; whether it was. {@link #SET_CREDITS}. */
    public boolean remove(Handle handle, Credentials who, Inode inode, int index, byte[] name) {
        inode.capability = Inode.Known.NOT;
        boolean there = inInode.remove(handle, inode, index, name) || inBlock.remove(handle, who, inode, index, name);
        if (there) {
            changed(handle, inode);
        }
        return there;
    }

    /** Sets the change time and writes the record. */
    void changed(Handle handle, Inode inode) {
        Times.changed(inode, volume.clock().nanos());
        records.write(handle, inode);
    }

    @Override
    public void freeBlock(Handle handle, Inode inode) {
        inBlock.release(handle, inode);
    }

    @Override
    public boolean hasCapability(Inode inode) {
        return get(inode, XattrName.SECURITY, CAPABILITY) != null;
    }

    @Override
    public void removeCapability(Handle handle, Inode inode) {
        remove(handle, Credentials.ROOT, inode, XattrName.SECURITY, CAPABILITY);
    }

    @Override
    public void modeChanged(Handle handle, Inode inode) {
        Acls.followMode(this, handle, inode);
    }
}
