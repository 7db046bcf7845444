// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeRecord;

/** Pass 2: the blocks of every directory. */
final class DirPass implements MapSink {
    private final State state;
    private final byte[] record;
    private final byte[] block;
    private final DirBlocks blocks;
    private int dir;
    private long next;

    DirPass(State state) {
        this.state = state;
        record = new byte[state.fs.sb.blockSize()];
        block = new byte[state.fs.sb.blockSize()];
        blocks = new DirBlocks(state);
    }

    void run() {
        for (dir = 0; dir < state.dirs.size(); dir++) {
            if (!state.dirs.is(dir, DirTable.UNREADABLE)) {
                directory(state.dirs.ino(dir));
            }
        }
    }

    private void directory(int ino) {
        int off = state.fs.readInode(ino, record);
        if (off < 0) {
            return;
        }
        int seed = InodeChecksum.seed(state.fs.sb, ino, InodeRecord.generation(record, off));
        blocks.begin(dir, seed);
        next = 0;
        state.walk.walk(ino, record, off, this);
        blocks.end(next);
    }

    @Override
    public void data(long lblk, long pblk, int count, boolean unwritten) {
        if (lblk != next) {
            state.report.problem(
                    "Directory inode %d has an unallocated block #%d.",
                    Integer.toUnsignedLong(state.dirs.ino(dir)), next);
        }
        next = lblk + count;
        for (int i = 0; i < count && !unwritten; i++) {
            if (state.fs.read(pblk + i, 1, block, "a directory")) {
                blocks.check(block, lblk + i, pblk + i);
            }
        }
    }

    @Override
    public boolean meta(long pblk) {
        return true;
    }

    @Override
    public void bad(String format, Object... args) {
        // reported in pass 1, where the directory was marked as unreadable
    }
}
