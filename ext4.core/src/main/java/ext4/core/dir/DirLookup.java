// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

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

    /**
     * Looks for {@code name} to read it: without the index if that can't be followed.
     *
     * @return whether it is there
     */
    public boolean find(DirFile dir, byte[] name) {
        if (HtreePath.applies(dir) && !isDots(name)) {
            try {
                return findIndexed(dir, name);
            } catch (BadIndexException e) {
                dir.indexUnusable(e.evidence());
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
            int at = DirBlock.find(b, 0, dir.format().entriesEnd(b), name, block);
            if (at < 0) {
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
