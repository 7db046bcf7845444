// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.journal.Handle;
import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirEntry;
import ext4.format.dir.DirTail;

/**
 * The changes of a directory besides adding a name. Each writes one block. A directory is never shortened: as in the
 * kernel, blocks that became empty are used again.
 */
public final class DirChange {
    private DirChange() {}

    /** Removes the entry that {@code found} holds. */
    public static void remove(Handle handle, DirFile dir, DirLookup found) {
        byte[] b = dir.write(handle, found.lblk());
        try {
            DirBlock.delete(b, 0, end(dir, b), found.offset(), found.lblk());
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    /** Lets the entry that {@code found} holds name another inode. */
    public static void replace(Handle handle, DirFile dir, DirLookup found, int ino, int fileType) {
        DirBlock.setTarget(dir.write(handle, found.lblk()), found.offset(), ino, fileType);
    }

    /** Makes a directory without blocks an empty one: "." and "..". */
    public static void init(Handle handle, DirFile dir, int parent, int fileType) {
        byte[] b = dir.write(handle, dir.append(handle));
        boolean csum = dir.format().metadataCsum();
        DirBlock.initDots(b, DirTail.entriesEnd(b.length, csum), dir.ino(), parent, fileType);
        if (csum) {
            DirTail.init(b);
        }
    }

    /** The inode that ".." names. */
    public static int parent(DirFile dir) {
        byte[] b = dir.read(0);
        try {
            return DirEntry.inode(b, DirBlock.dotDot(b, end(dir, b), 0));
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    /** Lets ".." name another directory. */
    public static void parent(Handle handle, DirFile dir, int ino) {
        byte[] b = dir.read(0);
        try {
            int at = DirBlock.dotDot(b, end(dir, b), 0);
            DirEntry.setInode(dir.write(handle, 0), at, ino);
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    /**
     * Whether nothing but "." and ".." is left. Looks at every block, so it sees entries that an index does not lead to.
     */
    public static boolean isEmpty(DirFile dir) {
        int blocks = dir.blocks();
        try {
            for (int lblk = 0; lblk < blocks; lblk++) {
                byte[] b = dir.read(lblk);
                int from = lblk == 0 ? DirBlock.afterDots(b, end(dir, b), 0) : 0;
                if (from < end(dir, b) && !DirBlock.isEmpty(b, from, end(dir, b), lblk)) {
                    return false;
                }
            }
            return true;
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    private static int end(DirFile dir, byte[] b) {
        return dir.format().entriesEnd(b);
    }
}
