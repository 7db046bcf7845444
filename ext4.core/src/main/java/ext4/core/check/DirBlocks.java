// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.FormatException;
import ext4.format.dir.DirEntry;
import ext4.format.dir.DirTail;
import ext4.format.superblock.Superblock;

/** The blocks of one directory, in order: which of them are index, and the entries of the others. */
final class DirBlocks {
    private final State state;
    private final Superblock sb;
    private final DirEntries entries;
    private final DirNames names;
    private final HtreeCheck htree;
    private long ino;
    private int seed;
    private boolean indexed;

    DirBlocks(State state) {
        this.state = state;
        sb = state.fs.sb;
        entries = new DirEntries(state);
        names = new DirNames(state);
        htree = new HtreeCheck(state);
    }

    /** Begins a directory: its position in the table. */
    void begin(int dir, int inodeSeed) {
        ino = Integer.toUnsignedLong(state.dirs.ino(dir));
        seed = inodeSeed;
        indexed = state.dirs.is(dir, DirTable.INDEXED);
        entries.begin(dir);
        names.begin(ino, indexed);
        htree.begin(ino);
    }

    void check(byte[] b, long lblk, long pblk) {
        boolean index = false;
        if (indexed && lblk == 0) {
            index = htree.root(b, seed);
            indexed = index;
        } else if (indexed) {
            index = htree.node(b, (int) lblk, seed);
        }
        if (index && lblk != 0) {
            return;
        }
        int end = b.length;
        if (sb.metadataCsum() && !index) {
            end = leafEnd(b, lblk);
        }
        walk(b, end, lblk, pblk, index);
        if (index) {
            return;
        }
        if (indexed) {
            htree.leaf((int) lblk, names);
        }
    }

    private int leafEnd(byte[] b, long lblk) {
        if (!DirTail.isPresent(b)) {
            state.report.problem("Directory inode %d, block #%d, offset 0: missing checksum tail.", ino, lblk);
            return b.length;
        }
        if (!DirTail.verify(b, seed)) {
            state.report.problem("Directory inode %d, block #%d: directory fails checksum.", ino, lblk);
        }
        return b.length - DirTail.SIZE;
    }

    private void walk(byte[] b, int end, long lblk, long pblk, boolean index) {
        names.beginBlock();
        try {
            int entry = 0;
            for (int at = 0; at < end && !(index && entry == 2); entry++) {
                int next = DirEntry.checkedEnd(b, at, end, pblk);
                if (lblk == 0 && entry < 2) {
                    entries.dot(b, at, entry);
                } else if (DirEntry.inode(b, at) != 0 && entries.check(b, at, lblk)) {
                    names.add(b, at, indexed ? htree.hash() : null);
                }
                at = next;
            }
        } catch (FormatException e) {
            state.report.problem("Directory inode %d, block #%d: directory corrupted (%s).", ino, lblk, e.getMessage());
        }
        names.endBlock(b, lblk);
    }

    void end(long blockCount) {
        entries.end();
        names.end();
        if (indexed) {
            htree.end(blockCount);
        }
    }
}
