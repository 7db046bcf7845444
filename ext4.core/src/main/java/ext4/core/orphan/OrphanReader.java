// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.core.alloc.InodeBitmaps;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeCache;
import ext4.core.volume.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads at mount what orphans there are, from the chain and from the orphan file, whatever strategy is to keep them.
 * Nothing is believed: a number out of range, reserved, not in use or listed twice, and an inode with links that has no
 * blocks to cut, end as {@link CorruptException}.
 */
public final class OrphanReader {
    private final Volume volume;
    private final OrphanStore store;
    private final InodeCache inodes;
    private final InodeBitmaps bitmaps;
    private final FileMap map;
    private final Set<Integer> seen = new HashSet<>();
    private final List<OrphanPlace> places = new ArrayList<>();

    /** Reads through these parts. */
    public OrphanReader(Volume volume, OrphanStore store, InodeCache inodes, InodeBitmaps bitmaps, FileMap map) {
        this.volume = volume;
        this.store = store;
        this.inodes = inodes;
        this.bitmaps = bitmaps;
        this.map = map;
    }

    /** All orphans: the chain's members in its order, then those of the file's slots. */
    public List<OrphanPlace> read() {
        for (int ino = store.chainHead(); ino != 0; ino = store.link(ino)) {
            check("orphan chain", ino);
            places.add(OrphanPlace.chain(ino));
        }
        for (int block = 0; block < store.fileBlocks(); block++) {
            for (int slot = 0; slot < store.slotsPerBlock(); slot++) {
                int ino = store.slot(block, slot);
                if (ino != 0) {
                    check("orphan file", ino);
                    places.add(OrphanPlace.slot(ino, block, slot));
                }
            }
        }
        return places;
    }

    private void check(String where, int ino) {
        int first = volume.superblock().firstIno();
        int last = volume.superblock().inodesCount();
        if (Integer.compareUnsigned(ino, first) < 0 || Integer.compareUnsigned(ino, last) > 0) {
            throw bad(where, ino, "an inode from " + first + " to " + Integer.toUnsignedString(last));
        }
        if (!seen.add(ino)) {
            throw bad(where, ino, "each inode once");
        }
        if (!bitmaps.used(ino)) {
            throw bad(where, ino, "an inode that its bitmap has in use");
        }
        checkInode(where, ino);
    }

    private void checkInode(String where, int ino) {
        Inode inode;
        try {
            inode = inodes.getUnlinked(ino);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ESTALE) {
                throw bad(where, ino, "an inode that was ever written");
            }
            throw e;
        }
        boolean cuttable = inode.nlink == 0 || map.hasMap(inode);
        inodes.put(inode);
        if (!cuttable) {
            throw bad(where, ino, "an inode without links, or with blocks to cut");
        }
    }

    private static CorruptException bad(String where, int ino, String expected) {
        return new CorruptException(where, -1, "inode", Integer.toUnsignedString(ino), expected);
    }
}
