// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.extent.ExtentCheck;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeRaw;

/** Walks the block map of an inode without extents. The sink bounds it: it goes into a block of pointers only if told. */
final class BlockMapWalk {
    private static final int DIRECT = 12;
    private static final int MOST_BAD = 12;

    private final Fs fs;
    private final byte[][] buffers = new byte[3][];
    private int ino;
    private int bad;
    private MapSink sink;

    BlockMapWalk(Fs fs) {
        this.fs = fs;
    }

    /** Walks the map in the record at {@code off}. */
    void walk(int inode, byte[] record, int off, MapSink target) {
        ino = inode;
        bad = 0;
        sink = target;
        long lblk = 0;
        for (int i = 0; i < DIRECT; i++) {
            pointer(BlockMap.root(record, off, i), lblk++, 0);
        }
        for (int levels = 1; DIRECT + levels <= InodeRaw.WORDS; levels++) {
            pointer(BlockMap.root(record, off, DIRECT + levels - 1), lblk, levels);
            lblk += 1L << (fs.sb.blockBits() - 2) * levels;
        }
    }

    private void pointer(long pblk, long lblk, int levels) {
        if (pblk == 0 || bad > MOST_BAD) {
            return;
        }
        if (!fs.isLegal(pblk)) {
            report("Illegal %s #%d (%d) in inode %d.", levels == 0 ? "block" : "indirect block", lblk, pblk);
        } else if (lblk >= ExtentCheck.END) {
            report("Block #%d (%d) causes file to be too big in inode %d.", lblk, pblk);
        } else if (levels == 0) {
            sink.data(lblk, pblk, 1, false);
        } else if (sink.meta(pblk)) {
            indirect(pblk, lblk, levels);
        }
    }

    private void indirect(long pblk, long lblk, int levels) {
        int level = levels - 1;
        if (buffers[level] == null) {
            buffers[level] = new byte[fs.sb.blockSize()];
        }
        byte[] b = buffers[level];
        if (!fs.read(pblk, 1, b, "an indirect block")) {
            report("Inode %4$d has an indirect block that cannot be read (%2$d).", lblk, pblk, 0);
            return;
        }
        int bits = fs.sb.blockBits() - 2;
        for (int i = 0; i < 1 << bits && bad <= MOST_BAD; i++) {
            pointer(BlockMap.pointer(b, i), lblk + ((long) i << bits * level), level);
        }
    }

    private void report(String format, Object... args) {
        Object[] all = java.util.Arrays.copyOf(args, args.length + 1);
        all[args.length] = Integer.toUnsignedLong(ino);
        sink.bad(format, all);
        bad++;
        if (bad == MOST_BAD) {
            sink.bad("Too many illegal blocks in inode %d.", Integer.toUnsignedLong(ino));
            bad++;
        }
    }
}
