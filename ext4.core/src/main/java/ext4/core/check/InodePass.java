// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;

/** Pass 1: all inodes of the tables. */
final class InodePass {
    private static final int CHUNK_BYTES = 1 << 18;

    private final State state;
    private final Superblock sb;
    private final InodeCheck check;
    private final int chunkBlocks;
    private final byte[] chunk;

    InodePass(State state) {
        this.state = state;
        sb = state.fs.sb;
        check = new InodeCheck(state, lowDtimeMatters());
        chunkBlocks = Math.max(1, CHUNK_BYTES >>> sb.blockBits());
        chunk = new byte[chunkBlocks << sb.blockBits()];
    }

    /** A clock that ran near 1970 makes deletion times look like inode numbers. */
    private boolean lowDtimeMatters() {
        byte[] raw = sb.bytes();
        return !isLow(SuperblockFields.writeTime(raw, 0))
                && !isLow(SuperblockFields.mountTime(raw, 0))
                && !isLow(SuperblockFields.mkfsTime(raw, 0));
    }

    private boolean isLow(long seconds) {
        long low = seconds & 0xFFFFFFFFL;
        return low != 0 && low < Integer.toUnsignedLong(sb.inodesCount());
    }

    void run() {
        for (int group = 0; group < sb.groupCount(); group++) {
            if (!state.fs.noTable.get(group)) {
                group(group);
            }
        }
        state.xattrs.compare(state.report);
        if (state.largeFiles > 0 && !sb.has(Feature.LARGE_FILE)) {
            state.report.problem("Filesystem contains large files, but lacks LARGE_FILE flag in superblock.");
        }
    }

    private void group(int group) {
        int inodes = state.fs.inodesToScan(group);
        int perBlock = sb.inodesPerBlock();
        int blocks = (inodes + perBlock - 1) / perBlock;
        long table = state.fs.inodeTable(group);
        for (int at = 0; at < blocks; at += chunkBlocks) {
            int count = Math.min(chunkBlocks, blocks - at);
            if (!state.fs.read(table + at, count, chunk, "an inode table")) {
                continue;
            }
            int first = at * perBlock;
            int last = Math.min(inodes, first + count * perBlock);
            for (int index = first; index < last; index++) {
                check.check(state.fs.layout.inode(group, index), chunk, (index - first) * sb.inodeSize());
            }
        }
    }
}
