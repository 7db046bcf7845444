// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.core.inode.AbsentName;
import ext4.core.inode.Inode;
import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirEntry;
import ext4.format.hash.NameHash;
import java.util.BitSet;

/**
 * Finds a name; afterwards holds where it stands and what it names. For one thread; what was found stays true while the
 * directory's lock is held and nothing is added or removed.
 *
 * <p>In an indexed directory one leaf is searched, and the leaves behind it while they continue the name's hash.
 */
public final class DirLookup {
    private int lblk;
    private int offset;
    private int ino;
    private int fileType;
    // what a search that looks for room too came upon; the block is -1 for none
    private boolean wantsRoom;
    private int roomLblk = -1;
    private int roomOffset;
    private boolean whole;

    /**
     * Looks for {@code name} to read it: without the index if that can't be followed. Otherwise, if it is not there, this
     * knows afterwards what {@link #findOrRoom} would.
     *
     * @return whether it is there
     */
    public boolean find(DirFile dir, byte[] name) {
        wantsRoom = true;
        roomLblk = -1;
        whole = true;
        if (HtreePath.applies(dir) && !isDots(name)) {
            try {
                return findIndexed(dir, name);
            } catch (BadIndexException e) {
                dir.indexUnusable(e.evidence());
                wantsRoom = false;
                roomLblk = -1;
                whole = false;
                return findLinear(dir, name, dir.blocks());
            }
        }
        return findLinear(dir, name, isDots(name) ? 1 : dir.blocks());
    }

    /**
     * Looks for {@code name} to change the directory.
     *
     * @throws ext4.api.fs.CorruptException if the index can't be followed
     */
    public boolean findToChange(DirFile dir, byte[] name) {
        wantsRoom = false;
        return search(dir, name);
    }

    /**
     * As {@link #findToChange}, and if the name is not there this knows afterwards where there is room for it, so that
     * {@link DirInsert} need not search the same block again.
     */
    public boolean findOrRoom(DirFile dir, byte[] name) {
        wantsRoom = true;
        roomLblk = -1;
        return search(dir, name);
    }

    private boolean search(DirFile dir, byte[] name) {
        if (HtreePath.applies(dir) && !isDots(name)) {
            try {
                return findIndexed(dir, name);
            } catch (BadIndexException e) {
                throw e.evidence();
            }
        }
        return findLinear(dir, name, isDots(name) ? 1 : dir.blocks());
    }

    private static boolean isDots(byte[] name) {
        return name.length == 1 && name[0] == '.' || name.length == 2 && name[0] == '.' && name[1] == '.';
    }

    private boolean findLinear(DirFile dir, byte[] name, int blocks) {
        for (int i = 0; i < blocks; i++) {
            if (findIn(dir, dir.read(i), i, name)) {
                return true;
            }
        }
        return false;
    }

    private boolean findIndexed(DirFile dir, byte[] name) throws BadIndexException {
        HtreePath path = HtreePath.open(dir);
        int hash = NameHash.major(path.nameHash().hash(name, 0, name.length));
        path.seek(hash);
        if (findIn(dir, path.leafBytes(), path.leaf(), name)) {
            return true;
        }
        wantsRoom = false; // a new name goes into the first leaf of its hash
        BitSet seen = null;
        long continued = Integer.toUnsignedLong(hash | 1);
        while (path.nextHash() == continued) {
            if (seen == null) {
                seen = new BitSet();
            }
            seen.set(path.leaf());
            path.next();
            if (seen.get(path.leaf())) {
                throw BadIndexException.of(dir, path.bottomLblk(), "block of a slot", path.leaf(), "one not met yet");
            }
            if (findIn(dir, path.leafBytes(), path.leaf(), name)) {
                return true;
            }
        }
        return false;
    }

    private boolean findIn(DirFile dir, byte[] b, int block, byte[] name) {
        try {
            int end = dir.format().entriesEnd(b);
            int at = wantsRoom ? DirBlock.findOrRoom(b, 0, end, name, block) : DirBlock.find(b, 0, end, name, block);
            if (at < 0) {
                if (wantsRoom && at != DirBlock.NEITHER) {
                    roomLblk = block;
                    roomOffset = ~at;
                    wantsRoom = false;
                }
                return false;
            }
            lblk = block;
            offset = at;
            ino = DirEntry.inode(b, at);
            fileType = DirEntry.fileType(b, at);
            return true;
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    /**
     * What is to be remembered after {@link #find} found nothing, so that whoever makes the name next need not search again;
     * null if the index could not be followed, which a change of the directory has to find out itself.
     */
    public AbsentName absent(Inode directory, byte[] name) {
        return whole ? new AbsentName(name, directory.contentChangeCount(), roomLblk, roomOffset) : null;
    }

    /** As {@link #findOrRoom}, but without a search if {@code directory} remembers that the name is not there. */
    public boolean findOrRoom(Inode directory, DirFile dir, byte[] name) {
        AbsentName absent = directory.absent;
        if (absent == null || !absent.holds(name, directory.contentChangeCount())) {
            return findOrRoom(dir, name);
        }
        roomLblk = absent.lblk();
        roomOffset = absent.offset();
        return false;
    }

    /** Whether {@link #findOrRoom} came upon room for the name that it did not find. */
    boolean hasRoom() {
        return roomLblk >= 0;
    }

    /** Block with room. */
    int roomLblk() {
        return roomLblk;
    }

    /** Byte at which the record with room begins in {@link #roomLblk}. */
    int roomOffset() {
        return roomOffset;
    }

    /** Block with the entry found. */
    public int lblk() {
        return lblk;
    }

    /** Byte at which the entry found begins. */
    public int offset() {
        return offset;
    }

    /** Inode that the entry names. */
    public int ino() {
        return ino;
    }

    /** The entry's type byte, 0 without the feature filetype. */
    public int fileType() {
        return fileType;
    }
}
