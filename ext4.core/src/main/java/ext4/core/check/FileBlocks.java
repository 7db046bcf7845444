// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.superblock.Feature;

/** Counts and claims the blocks of one inode. Reused for each. */
final class FileBlocks implements MapSink {
    private static final int MAX_DIR_BYTE_BITS = 31;

    private final State state;
    private long ino;
    private boolean directory;
    private boolean resize;
    private boolean badBlocks;
    private int metas;
    /** Blocks of the inode, those of its map and attributes included. */
    long blocks;
    /** Last logical block, -1 if there is none. */
    long last;
    /** Last logical block that is not unwritten, -1 if there is none. */
    long lastWritten;
    /** The map has damages, or shares blocks. */
    boolean damaged;

    FileBlocks(State state) {
        this.state = state;
    }

    void begin(int inode, boolean isDirectory) {
        ino = Integer.toUnsignedLong(inode);
        directory = isDirectory;
        resize = inode == SpecialInodes.RESIZE;
        badBlocks = inode == SpecialInodes.BAD_BLOCKS;
        blocks = 0;
        last = -1;
        lastWritten = -1;
        damaged = false;
        metas = 0;
    }

    @Override
    public void data(long lblk, long pblk, int count, boolean unwritten) {
        blocks += count;
        last = lblk + count - 1;
        if (!unwritten) {
            lastWritten = last;
        } else if (directory) {
            bad("Inode %d has an uninitialized extent, but is a directory (logical block %d).", ino, lblk);
        }
        if (directory
                && last >= 1L << MAX_DIR_BYTE_BITS - state.fs.sb.blockBits()
                && !state.fs.sb.has(Feature.LARGE_DIR)) {
            bad("Block #%d causes directory to be too big in inode %d.", last, ino);
        }
        if (badBlocks) {
            badBlock(pblk);
        } else if (!resize) {
            claim(pblk, count);
        }
    }

    /** A bad block may lie in a bitmap or inode table, which then is elsewhere or does without it. */
    private void badBlock(long pblk) {
        int group = state.fs.layout.groupOfBlock(pblk);
        boolean fixed =
                state.fs.layout.hasSuper(group) && pblk <= state.fs.layout.superBlock(group) + state.fs.sb.descBlocks();
        if (fixed) {
            bad("Block %d of a superblock or of group descriptors is on the bad block list.", pblk);
        }
        state.claims.claim(pblk, 1);
    }

    @Override
    public boolean meta(long pblk) {
        blocks++;
        if (resize) {
            // its other blocks are the descriptors' reserve, as long as the superblock says how much that is
            if (metas++ == 0) {
                state.claims.claim(pblk, 1);
            }
            return true;
        }
        return claim(pblk, 1);
    }

    /** Claims blocks for the inode; false if some were claimed before. */
    boolean claim(long pblk, int count) {
        long first = state.claims.firstSet(pblk, count);
        long shared = state.claims.claim(pblk, count);
        if (shared == 0) {
            return true;
        }
        bad(
                "Multiply-claimed block(s) in inode %d: %d of blocks %d--%d, first %d.",
                ino, shared, pblk, pblk + count - 1, first);
        return false;
    }

    @Override
    public void bad(String format, Object... args) {
        damaged = true;
        state.report.problem(format, args);
    }
}
