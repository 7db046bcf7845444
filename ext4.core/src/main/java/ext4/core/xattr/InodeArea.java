// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.journal.Handle;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.core.volume.Evidence;
import ext4.format.xattr.XattrArea;
import ext4.format.xattr.XattrList;

/** The attributes in the inode record. */
final class InodeArea {
    /** Without this much of extra fields the list would begin in the field that tells where it begins. */
    private static final int MIN_EXTRA_ISIZE = 4;

    /** What is looked up in a list that was checked. */
    @FunctionalInterface
    interface Look<T> {
        T at(XattrArea area, byte[] b);
    }

    private final InodeStore records;
    private final int inodeSize;

    InodeArea(InodeStore records, int inodeSize) {
        this.records = records;
        this.inodeSize = inodeSize;
    }

    /** Looks into the list, or returns {@code otherwise} if the record has none. */
    <T> T look(Inode inode, T otherwise, Look<T> look) {
        if (!hasRoom(inode)) {
            return otherwise;
        }
        return records.view(inode, (b, off) -> {
            XattrArea area = area(inode, off);
            if (!area.isPresent(b)) {
                return otherwise;
            }
            Evidence.check(() -> XattrList.validate(area, b, -1));
            return look.at(area, b);
        });
    }

    /** The value, null if it isn't there. */
    byte[] get(Inode inode, int index, byte[] name) {
        return look(inode, null, (area, b) -> Values.get(area, b, index, name));
    }

    /** Whether {@link #set} has room. */
    boolean fits(Inode inode, int index, byte[] name, int valueSize) {
        int whole = hasRoom(inode) ? area(inode, 0).size() - Integer.BYTES : 0;
        return look(
                inode,
                XattrList.need(name.length, valueSize) <= whole,
                (area, b) -> XattrList.fits(area, b, index, name, valueSize));
    }

    /** Sets an attribute that {@link #fits}. */
    void set(Handle handle, Inode inode, int index, byte[] name, byte[] value) {
        records.edit(handle, inode, (b, off) -> {
            XattrArea area = area(inode, off);
            if (!area.isPresent(b)) {
                area.init(b);
            }
            if (!XattrList.set(area, b, index, name, value)) {
                throw new IllegalStateException(inode + ": no room for an attribute that was measured");
            }
        });
    }

    /** Removes an attribute; whether it was there. */
    boolean remove(Handle handle, Inode inode, int index, byte[] name) {
        if (!look(inode, false, (area, b) -> XattrList.find(area, b, index, name) >= 0)) {
            return false;
        }
        records.edit(handle, inode, (b, off) -> XattrList.remove(area(inode, off), b, index, name));
        return true;
    }

    private boolean hasRoom(Inode inode) {
        return inode.extraIsize >= MIN_EXTRA_ISIZE && area(inode, 0).exists();
    }

    private XattrArea area(Inode inode, int off) {
        return XattrArea.ofInode(off, inodeSize, inode.extraIsize);
    }
}
