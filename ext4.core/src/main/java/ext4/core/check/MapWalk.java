// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;

/** Walks the blocks of an inode, by extents or by its block map. For one walk at a time. */
final class MapWalk {
    private final Fs fs;
    private final ExtentWalk extents;
    private final BlockMapWalk blockMap;

    MapWalk(Fs fs) {
        this.fs = fs;
        extents = new ExtentWalk(fs);
        blockMap = new BlockMapWalk(fs);
    }

    /** Walks the inode whose record is at {@code off}; it must be of a type that has blocks. */
    void walk(int ino, byte[] b, int off, MapSink sink) {
        if (InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.EXTENTS)) {
            int seed = InodeChecksum.seed(fs.sb, ino, InodeRecord.generation(b, off));
            extents.walk(ino, seed, b, InodeRecord.iBlock(off), sink);
        } else {
            blockMap.walk(ino, b, off, sink);
        }
    }
}
