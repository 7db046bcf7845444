// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** Collects the physical blocks of the front of a file, without reporting what is wrong with it. */
final class BlockList implements MapSink {
    private final long[] blocks;
    private int metas;
    private boolean bad;

    /** For so many blocks at most. */
    BlockList(int most) {
        blocks = new long[most];
    }

    static BlockList of(State state, int ino, byte[] record, int off, int most) {
        BlockList list = new BlockList(most);
        state.walk.walk(ino, record, off, list);
        return list;
    }

    @Override
    public void data(long lblk, long pblk, int count, boolean unwritten) {
        for (int i = 0; i < count && lblk + i < blocks.length; i++) {
            blocks[(int) lblk + i] = pblk + i;
        }
    }

    @Override
    public boolean meta(long pblk) {
        return ++metas <= blocks.length;
    }

    @Override
    public void bad(String format, Object... args) {
        bad = true;
    }

    boolean isDamaged() {
        return bad;
    }

    /** Block {@code lblk}, 0 where there is none. */
    long get(int lblk) {
        return lblk < blocks.length ? blocks[lblk] : 0;
    }

    /** Blocks from the first up to a hole. */
    int length() {
        int end = 0;
        while (end < blocks.length && blocks[end] != 0) {
            end++;
        }
        return end;
    }

    @Override
    public String toString() {
        return Arrays.toString(blocks);
    }
}
