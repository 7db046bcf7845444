// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.jbd2.JournalSuperblock;

/** How long the journal is: mke2fs(8), option -J size. */
final class JournalSize {
    private static final int LEAST_FILESYSTEM = 2048;
    private static final int MOST = 10_240_000;
    /** Below so many blocks of filesystem, so many blocks of journal. */
    private static final long[][] TABLE = {
        {32_768, 1024},
        {256 << 10, 4096},
        {512 << 10, 8192},
        {4096 << 10, 16384},
        {8192 << 10, 32768},
        {16384 << 10, 65536},
        {32768 << 10, 131072},
    };

    private static final int LARGEST = 262_144;

    private JournalSize() {}

    /** Whether the filesystem is long enough for a journal; a size that was asked for is an error instead. */
    static boolean fits(MkfsOptions options, long blocks) {
        return options.journalBytes() != 0 || blocks >= LEAST_FILESYSTEM;
    }

    static int blocks(MkfsOptions options, int blockSize, long blocks) {
        if (options.journalBytes() == 0) {
            for (long[] row : TABLE) {
                if (blocks < row[0]) {
                    return (int) row[1];
                }
            }
            return LARGEST;
        }
        long wanted = options.journalBytes() / blockSize;
        if (wanted < JournalSuperblock.MIN_BLOCKS || wanted > MOST) {
            throw new MkfsException("a journal has " + JournalSuperblock.MIN_BLOCKS + " to " + MOST + " blocks; "
                    + options.journalBytes() + " bytes are " + wanted);
        }
        if (wanted > blocks / 2) {
            throw new MkfsException("a journal of " + wanted + " blocks is too long for a filesystem of " + blocks);
        }
        return (int) wanted;
    }
}
