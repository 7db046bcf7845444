// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRaw;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** i_size and i_blocks against the blocks that an inode has. */
final class SizeCheck {
    private static final long LARGE = 1L << 31;

    private final State state;
    private final Superblock sb;
    private final FileBlocks blocks;

    SizeCheck(State state, FileBlocks blocks) {
        this.state = state;
        this.blocks = blocks;
        sb = state.fs.sb;
    }

    void check(int ino, byte[] b, int off) {
        int mode = InodeRecord.mode(b, off);
        long size = InodeRaw.size(b, off);
        boolean wrong = FileMode.isDirectory(mode) ? directory(b, off) : file(b, off, size);
        if (wrong && ino != SpecialInodes.BAD_BLOCKS && !FileMode.isSymlink(mode)) {
            state.report.problem(
                    "Inode %d, i_size is %s, but its last block is #%d.",
                    Integer.toUnsignedLong(ino), Long.toUnsignedString(size), blocks.last);
        }
        if (FileMode.isRegular(mode) && Long.compareUnsigned(size, LARGE) >= 0) {
            state.largeFiles++;
        }
        sectors(ino, b, off);
    }

    private boolean directory(byte[] b, int off) {
        long size = InodeRecord.size(b, off);
        return (size & sb.blockSize() - 1) != 0 || size >>> sb.blockBits() != blocks.last + 1;
    }

    private boolean file(byte[] b, int off, long size) {
        int flags = InodeRecord.flags(b, off);
        boolean verity = InodeFlags.has(flags, InodeFlags.VERITY);
        boolean pastEnd = blocks.lastWritten >= 0
                && Long.compareUnsigned(size, blocks.lastWritten << sb.blockBits()) < 0
                && !verity;
        boolean tooBig = InodeFlags.has(flags, InodeFlags.EXTENTS)
                ? Long.compareUnsigned(size, (1L << 32 + sb.blockBits()) - 1) > 0
                : Long.compareUnsigned(size, mapLimit()) > 0;
        return pastEnd || tooBig;
    }

    /** Most bytes that a block map reaches. */
    private long mapLimit() {
        long pointers = sb.blockSize() / 4;
        return 12 + pointers + pointers * pointers + pointers * pointers * pointers << sb.blockBits();
    }

    private void sectors(int ino, byte[] b, int off) {
        boolean inBlocks = sb.has(Feature.HUGE_FILE) && InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.HUGE_FILE);
        long found = InodeRaw.blocksLow(b, off);
        if (sb.has(Feature.HUGE_FILE)) {
            found |= (long) InodeRaw.blocksHigh(b, off) << 32;
        }
        long expected = inBlocks ? blocks.blocks : blocks.blocks << sb.blockBits() - 9;
        if (found != expected) {
            state.report.problem(
                    "Inode %d, i_blocks is %d, should be %d.", Integer.toUnsignedLong(ino), found, expected);
        }
    }
}
