// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirTail;
import ext4.format.dir.DxNode;
import ext4.format.dir.DxRoot;
import ext4.format.dir.LeafSplit;
import ext4.format.hash.NameHash;

/**
 * Adds an entry; the caller made sure that the name does not exist.
 *
 * <p>Where there is no room a linear directory gets another block or, if it is one block long and the filesystem has
 * dir_index, an index; in an indexed one the leaf is split. Each step, a new level or node, then the leaf, leaves a whole
 * directory behind, so ENOSPC in the next one does no harm.
 */
public final class DirInsert {
    /**
     * Blocks of the directory that one insert writes at most: root, node, the node split off or pushed down, leaf, new
     * leaf.
     */
    public static final int BLOCKS_WRITTEN = 5;

    /**
     * Blocks that one insert appends at most: a node and a leaf; or, when the directory gets its index, a leaf and the
     * one it is split into.
     */
    public static final int BLOCKS_APPENDED = 2;

    private final Handle handle;
    private final DirFile dir;
    private final byte[] name;
    private final int ino;
    private final int fileType;

    private DirInsert(Handle handle, DirFile dir, byte[] name, int ino, int fileType) {
        this.handle = handle;
        this.dir = dir;
        this.name = name;
        this.ino = ino;
        this.fileType = fileType;
    }

    /**
     * Adds {@code name}.
     *
     * @param fileType see {@link DirFormat#fileType}
     * @throws ErrnoException ENOSPC if no block is free, or if the two levels of an index are full
     * @throws ext4.api.fs.CorruptException if the index can't be followed
     */
    public static void insert(Handle handle, DirFile dir, byte[] name, int ino, int fileType) {
        DirInsert insert = new DirInsert(handle, dir, name, ino, fileType);
        try {
            if (HtreePath.applies(dir)) {
                insert.indexed(false);
            } else {
                insert.linear();
            }
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        } catch (BadIndexException e) {
            throw e.evidence();
        }
    }

    /**
     * As the other one, after {@code absent} looked for the name with {@link DirLookup#findOrRoom} and nothing in the
     * directory changed since.
     */
    public static void insert(Handle handle, DirFile dir, DirLookup absent, byte[] name, int ino, int fileType) {
        if (absent.hasRoom() && (HtreePath.applies(dir) || !dir.indexFlag())) {
            byte[] b = dir.write(handle, absent.roomLblk());
            DirBlock.insertAt(b, absent.roomOffset(), name, 0, name.length, ino, fileType);
        } else {
            insert(handle, dir, name, ino, fileType);
        }
    }

    private void linear() throws FormatException, BadIndexException {
        if (dir.indexFlag()) {
            dropIndex();
        }
        int blocks = dir.blocks();
        for (int lblk = 0; lblk < blocks; lblk++) {
            if (insertInto(lblk, dir.read(lblk))) {
                return;
            }
        }
        if (blocks == 1 && dir.format().dirIndex()) {
            makeIndex();
            indexed(true); // the leaf gained the room of "." and "..", but is split now as the kernel does
            return;
        }
        int lblk = appendEmpty();
        if (!insertInto(lblk, dir.read(lblk))) {
            throw noRoom(lblk);
        }
    }

    /**
     * On a filesystem without dir_index entries will overwrite the index, so its readers must not trust it any more. With
     * checksums that is not possible: the blocks of an index have no tail.
     */
    private void dropIndex() throws BadIndexException {
        if (dir.format().metadataCsum()) {
            throw new BadIndexException(
                    BadDirectory.of(dir, 0, "inode", "flag INDEX", "set", "clear without feature dir_index"));
        }
        dir.indexFlag(handle, false);
    }

    private int appendEmpty() {
        int lblk = dir.append(handle);
        byte[] b = dir.write(handle, lblk);
        boolean csum = dir.format().metadataCsum();
        DirBlock.initEmpty(b, 0, DirTail.entriesEnd(b.length, csum));
        if (csum) {
            DirTail.init(b);
        }
        return lblk;
    }

    private boolean insertInto(int lblk, byte[] b) throws FormatException {
        int end = dir.format().entriesEnd(b);
        int room = DirBlock.findRoom(b, 0, end, name.length, lblk);
        if (room < 0) {
            return false;
        }
        DirBlock.insertAt(dir.write(handle, lblk), room, name, 0, name.length, ino, fileType);
        return true;
    }

    private void makeIndex() throws FormatException {
        int leaf = dir.append(handle);
        byte[] fresh = dir.write(handle, leaf);
        DirFormat format = dir.format();
        LeafSplit.toIndexed(dir.write(handle, 0), fresh, format.hashVersion(), format.metadataCsum(), leaf);
        dir.indexFlag(handle, true);
    }

    private void indexed(boolean split) throws FormatException, BadIndexException {
        HtreePath path = HtreePath.open(dir);
        int hash = NameHash.major(path.nameHash().hash(name, 0, name.length));
        path.seek(hash);
        if (!split && insertInto(path.leaf(), path.leafBytes())) {
            return;
        }
        path.validate();
        if (path.bottomFull()) {
            makeSlot(path);
            path = HtreePath.open(dir);
            path.seek(hash);
        }
        int leaf = splitLeaf(path, hash);
        if (!insertInto(leaf, dir.read(leaf))) {
            throw noRoom(leaf);
        }
    }

    /** Makes room for one more slot next to those of the path's leaf. */
    private void makeSlot(HtreePath path) {
        boolean csum = dir.format().metadataCsum();
        if (!path.hasNodes()) {
            int fresh = dir.append(handle);
            DxRoot.pushDown(dir.write(handle, 0), dir.write(handle, fresh), csum, fresh);
            return;
        }
        if (path.rootFull()) {
            throw ErrnoException.of(Errno.ENOSPC);
        }
        int fresh = dir.append(handle);
        byte[] node = dir.write(handle, path.bottomLblk());
        int hash = DxNode.moveUpperHalf(node, dir.write(handle, fresh), csum);
        DxNode.insert(dir.write(handle, 0), DxNode.ROOT, path.rootSlot(), hash, fresh);
    }

    /** Splits the path's leaf and returns the half that names of {@code hash} go to. */
    private int splitLeaf(HtreePath path, int hash) throws FormatException, BadIndexException {
        int leaf = path.leaf();
        int fresh = dir.append(handle);
        byte[] lower = dir.write(handle, leaf);
        int boundary = LeafSplit.split(lower, dir.write(handle, fresh), path.nameHash(), leaf);
        DxNode.insert(dir.write(handle, path.bottomLblk()), path.bottomBase(), path.bottomSlot(), boundary, fresh);
        return Integer.compareUnsigned(hash, boundary & ~1) >= 0 ? fresh : leaf;
    }

    private RuntimeException noRoom(int lblk) {
        return BadDirectory.of(dir, lblk, "directory block", "room after a split", "too little", "half a block");
    }
}
